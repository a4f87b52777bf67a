import { encodeFunctionData, hexToBigInt, slice, type Hex } from "viem";
import type { PinnedOptions, ScoreRow, Stage } from "@vipscore/core";
import { inOrder, isCallFailure, type Answer } from "@vipscore/core/wire";
import { decodeRows, type PageRow, type RowShape } from "./decodeRows.ts";
import { parallelPages, readContract, readRaw, type ContractReader } from "./readContract.ts";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

/**
 * Rows per page, the most that our contract returns: about 4,000 gas per row, below minievm's 10,000,000 gas per call. Rows that
 * are far apart cost up to 12,000 gas each; their pages are shorter.
 */
const maxPageRows = 1000n;

/** Target rows per range of ids: low enough that most ranges take one request. */
const rowsPerRange = 800n;

const rowShape: RowShape = { key: 0, account: 1, score: 2 };

/** Account ids from `first` to `last`. */
interface IdRange {
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Yields every row of a stage of our contract at one height, in order of account id. Ranges of ids are read in parallel;
 * within a range, the contract's cursor leads from page to page.
 */
export async function* readScoresById(
  reader: ContractReader,
  stage: Stage,
  options: PinnedOptions,
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  const [{ scoreCount: rows }, accounts] = await Promise.all([
    readContract(reader, "getStage", [stage], options),
    readContract(reader, "accountCount", [], options),
  ]);
  if (rows === 0n) return;
  const readRange = (range: IdRange, signal: AbortSignal) =>
    readIdRange(reader, stage, range, { height: options.height, signal });
  for await (const page of inOrder(rangesOf(BigInt(accounts), rows), parallelPages, readRange, options.signal)) {
    if (page.length > 0) yield page;
  }
}

/** Ids from 1 to `accounts` in ranges of equal width, sized for the number of rows. */
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
  let limit = maxPageRows;
  for (let from = first; from !== 0n && from <= last;) {
    try {
      const page = await readPage(reader, stage, { from, limit }, options);
      rows.push(...page.rows.filter(({ key }) => key <= last));
      from = page.next;
    } catch (error) {
      // The function never reverts: the call ran out of the node's gas.
      if (limit === 1n || !isCallFailure(error)) throw error;
      limit /= 2n;
    }
  }
  return rows;
}

/** A page of rows. */
interface Page {
  readonly rows: readonly PageRow[];
  /** The id at which the next page starts, 0 after the last. */
  readonly next: bigint;
}

function readPage(
  reader: ContractReader,
  stage: Stage,
  { from, limit }: { readonly from: bigint; readonly limit: bigint },
  options: { readonly height: bigint; readonly signal: AbortSignal },
): Promise<Page> {
  const args = [stage, Number(from), limit] as const;
  const data = encodeFunctionData({ abi: vipScoreAbi, functionName: "getScoresFrom", args });
  const read = (result: Hex, answer: Answer): Page =>
    decodePage(result, from) ?? answer.unreadable(`rows of stage ${stage} from account ${from}`);
  return readRaw(reader, data, read, options);
}

/** Decodes a page; undefined if the rows, or the cursor after them, do not ascend. */
function decodePage(data: Hex, from: bigint): Page | undefined {
  const rows = decodeRows(data, rowShape);
  if (rows === undefined) return undefined;
  let previous = from - 1n;
  for (const { key } of rows) {
    if (key <= previous) return undefined;
    previous = key;
  }
  const next = hexToBigInt(slice(data, 32, 64));
  return next === 0n || (next > previous && next > from) ? { rows, next } : undefined;
}
