import type { ScoreRow, Stage } from "@vipscore/core";
import { encodeFunctionData } from "viem";
import { callRaw, UnreadableAnswerError, type ContractReader } from "./callContract.ts";
import { decodeRows, type PageRow, type RowShape } from "./decodeRows.ts";
import { inOrder } from "./inOrder.ts";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

/**
 * Rows per page. The reference contract reads two cold slots a row and allocates the whole page, about 5,500 gas a row,
 * and a minievm node ends a call at 10,000,000 gas.
 */
const pageRows = 1000;

const rowShape: RowShape = { account: 0, score: 1, key: 2 };

/**
 * Every row of a stage at one height through the published `getScores`, which pads its last page with zero rows and
 * has no count: the first zero row is the end.
 */
export async function* readPaddedScores(
  reader: ContractReader,
  stage: Stage,
  { height, signal }: { readonly height: bigint; readonly signal?: AbortSignal },
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  const readPage = async (offset: number, pageSignal: AbortSignal | undefined): Promise<readonly PageRow[]> => {
    const args = [stage, BigInt(offset), BigInt(pageRows)] as const;
    const call = encodeFunctionData({ abi: vipScoreAbi, functionName: "getScores", args });
    const options = pageSignal === undefined ? { height } : { height, signal: pageSignal };
    const data = await callRaw(reader, call, options);
    const rows = decodeRows(data, rowShape);
    if (rows === undefined || rows.some((row, at) => row.key !== BigInt(offset + at + 1))) {
      throw new UnreadableAnswerError(reader, `getScores from row ${offset + 1} of stage ${stage}`, data);
    }
    return rows;
  };

  // Most stages of a new rollup fit one page: only a full one shows that reading ahead pays.
  const first = await readPage(0, signal);
  if (first.length > 0) yield first;
  if (first.length < pageRows) return;
  for await (const rows of inOrder(offsetsFrom(pageRows), readPage, signal)) {
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
  }
}

function* offsetsFrom(start: number): Generator<number, never, undefined> {
  for (let offset = start; ; offset += pageRows) yield offset;
}
