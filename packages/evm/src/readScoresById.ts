import type { ScoreRow, Stage } from "@vipscore/core";
import { encodeFunctionData, hexToBigInt, slice } from "viem";
import { callContract, callRaw, UnreadableAnswerError, type ContractReader } from "./callContract.ts";
import { decodeRows, type PageRow, type RowShape } from "./decodeRows.ts";
import { inOrder } from "./inOrder.ts";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

/** Rows per page, the most that our contract answers: about 4,000 gas a row, below the 10,000,000 of a call on minievm. */
const pageRows = 1000n;

/** Rows that a range of ids should have: pages are seldom full, so that most ranges take one request. */
const rowsPerRange = 800n;

const rowShape: RowShape = { key: 0, account: 1, score: 2 };

/** Account ids from `first` to `last`. */
interface IdRange {
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Every row of a stage of our contract at one height, in the order of account ids. The ids are divided into ranges that
 * are read side by side; within a range the contract's cursor leads from page to page.
 */
export async function* readScoresById(
  reader: ContractReader,
  stage: Stage,
  options: { readonly height: bigint; readonly signal?: AbortSignal },
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  const [rows, accounts] = await Promise.all([
    callContract(reader, "scoreCount", [stage], options),
    callContract(reader, "accountCount", [], options),
  ]);
  if (rows === 0n) return;
  const readRange = (range: IdRange, signal: AbortSignal) =>
    readIdRange(reader, stage, range, { height: options.height, signal });
  for await (const page of inOrder(rangesOf(BigInt(accounts), rows), readRange, options.signal)) {
    if (page.length > 0) yield page;
  }
}

/** Ids from 1 to `accounts` in ranges of equal width, as many as rows ask for. */
function* rangesOf(accounts: bigint, rows: bigint): Generator<IdRange> {
  const count = (rows + rowsPerRange - 1n) / rowsPerRange;
  const width = (accounts + count - 1n) / count;
  for (let first = 1n; first <= accounts; first += width) yield { first, last: first + width - 1n };
}

async function readIdRange(
  reader: ContractReader,
  stage: Stage,
  { first, last }: IdRange,
  options: { readonly height: bigint; readonly signal: AbortSignal },
): Promise<readonly ScoreRow[]> {
  const rows: PageRow[] = [];
  for (let from = first; from !== 0n && from <= last;) {
    const page = await readPage(reader, stage, from, options);
    rows.push(...page.rows.filter(({ key }) => key <= last));
    from = page.next;
  }
  return rows;
}

/** One page, and the id at which the next one starts, 0 after the last. */
async function readPage(
  reader: ContractReader,
  stage: Stage,
  from: bigint,
  options: { readonly height: bigint; readonly signal: AbortSignal },
): Promise<{ readonly rows: readonly PageRow[]; readonly next: bigint }> {
  const args = [stage, Number(from), pageRows] as const;
  const data = await callRaw(
    reader,
    encodeFunctionData({ abi: vipScoreAbi, functionName: "getScoresFrom", args }),
    options,
  );
  const rows = decodeRows(data, rowShape);
  const next = rows === undefined ? 0n : hexToBigInt(slice(data, 32, 64));
  let previous = from - 1n;
  const isAscending = rows?.every(({ key }) => {
    const follows = key > previous;
    previous = key;
    return follows;
  });
  if (rows === undefined || isAscending !== true || (next !== 0n && (next <= previous || next <= from))) {
    throw new UnreadableAnswerError(reader, `getScoresFrom account ${from} of stage ${stage}`, data);
  }
  return { rows, next };
}
