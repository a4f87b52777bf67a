import { encodeFunctionData, type Hex } from "viem";
import type { PinnedOptions, ScoreRow, Stage } from "@vipscore/core";
import { inOrder, type Answer } from "@vipscore/core/wire";
import { decodeRows, type PageRow, type RowShape } from "./decodeRows.ts";
import { parallelPages, readRaw, type ContractReader } from "./readContract.ts";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

/**
 * Rows per page. The reference contract reads two cold slots per row and allocates the whole page, about 5,500 gas per row,
 * and a minievm node aborts a call at 10,000,000 gas.
 */
const pageRows = 1000;

const rowShape: RowShape = { account: 0, score: 1, key: 2 };

/**
 * Yields every row of a stage at one height, through the published `getScores`. That function returns no count and pads
 * its last page with zero rows: the first zero row is the end.
 */
export async function* readPaddedScores(
  reader: ContractReader,
  stage: Stage,
  { height, signal }: PinnedOptions,
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  const readPage = (offset: number, pageSignal: AbortSignal | undefined): Promise<readonly PageRow[]> => {
    const args = [stage, BigInt(offset), BigInt(pageRows)] as const;
    const data = encodeFunctionData({ abi: vipScoreAbi, functionName: "getScores", args });
    const read = (result: Hex, answer: Answer): readonly PageRow[] => {
      const rows = decodeRows(result, rowShape);
      if (rows?.every(({ key }, at) => key === BigInt(offset + at + 1)) === true) return rows;
      return answer.unreadable(`rows of stage ${stage} from row ${offset + 1}`);
    };
    return readRaw(reader, data, read, { height, signal: pageSignal });
  };

  // Most stages of a new rollup fit in one page; reading ahead pays off only after a full one.
  const first = await readPage(0, signal);
  if (first.length > 0) yield first;
  if (first.length < pageRows) return;
  for await (const rows of inOrder(offsetsFrom(pageRows), parallelPages, readPage, signal)) {
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
  }
}

function* offsetsFrom(start: number): Generator<number, never, undefined> {
  for (let offset = start; ; offset += pageRows) yield offset;
}
