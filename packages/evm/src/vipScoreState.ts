import { encodeFunctionData, hexToBigInt, slice, zeroAddress, type Address, type Hex } from "viem";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import type { Account, ContractControl, PinnedOptions, ScoreRow, Stage, StageInfo } from "@vipscore/core";
import { inOrder, isCallFailure, parallelPages, type Answer } from "@vipscore/core/wire";
import { accountOfAddress } from "./evmAddress.ts";
import { readProxyAdmin } from "./identifyContract.ts";
import { readContract, readRaw, type ContractReader } from "./readContract.ts";

/** Members per page, the most that our contract returns: about 2,700 gas each. */
const pageMembers = 1000n;

/** Reads a stage of our contract in one call; undefined if it was never created. */
export async function readStageInfo(
  reader: ContractReader,
  stage: Stage,
  options: PinnedOptions,
): Promise<StageInfo | undefined> {
  const info = await readContract(reader, "getStage", [stage], options);
  if (info.stage === 0n) return undefined;
  const { totalScore: total, scoreCount: count, revision, isFinalized } = info;
  return { stage, total, isFinalized, count, revision };
}

/** Reads the roles of our contract, which may run behind a proxy, at one height. */
export async function readControl(
  reader: ContractReader,
  isProxy: boolean,
  options: PinnedOptions,
): Promise<ContractControl> {
  const [owner, pending, finalizer, othersManage, codeAdmin] = await Promise.all([
    readContract(reader, "owner", [], options),
    readContract(reader, "pendingOwner", [], options),
    readContract(reader, "finalizer", [], options),
    readContract(reader, "membersCanManage", [], options),
    isProxy ? readCodeAdmin(reader, options) : undefined,
  ]);
  return {
    owner: accountOfAddress(owner),
    pendingOwner: namedAccount(pending),
    finalizer: namedAccount(finalizer),
    othersManage,
    codeAdmin,
  };
}

async function readCodeAdmin(reader: ContractReader, options: PinnedOptions): Promise<Account | "implementation"> {
  const admin = await readProxyAdmin(reader, options);
  return admin === undefined ? "implementation" : accountOfAddress(admin);
}

function namedAccount(address: Address): Account | undefined {
  return address === zeroAddress ? undefined : accountOfAddress(address);
}

/** Reads all members of our contract at one height. */
export async function readMembers(
  reader: ContractReader,
  { height, signal }: PinnedOptions,
): Promise<readonly Account[]> {
  const count = await readContract(reader, "allowListCount", [], { height, signal });
  const readPage = (offset: bigint, pageSignal: AbortSignal) =>
    readContract(reader, "getAllowList", [offset, pageMembers], { height, signal: pageSignal });
  const members: Account[] = [];
  for await (const page of inOrder(offsetsBelow(count), parallelPages, readPage, signal))
    members.push(...page.map(accountOfAddress));
  return members;
}

function* offsetsBelow(count: bigint): Generator<bigint> {
  for (let offset = 0n; offset < count; offset += pageMembers) yield offset;
}

/** Hex digits of one ABI word. */
const word = 64;
const zeroAddressDigits = "0".repeat(40);

/** A row of a page as the contract returns it. */
export interface PageRow extends ScoreRow {
  /** The sort key of the page: the row's place in the stage, or the account's id. */
  readonly key: bigint;
}

/** The position of each value among the words of a row. */
export interface RowShape {
  readonly account: 0 | 1;
  readonly score: 1 | 2;
  readonly key: 0 | 2;
}

/**
 * Decodes the first return value of a page, an array of rows of three words, up to its first zero row. Returns undefined
 * when the data does not have this shape. Written by hand because verifying a large stage decodes millions of words, for
 * which a general decoder takes many times as long.
 */
export function decodeRows(data: Hex, shape: RowShape): readonly PageRow[] | undefined {
  const offset = smallNumber(data.slice(2, 2 + word));
  if (offset === undefined || offset < 32) return undefined;
  const start = 2 + 2 * offset;
  const length = smallNumber(data.slice(start, start + word));
  if (length === undefined || data.length < start + word * (1 + 3 * length)) return undefined;
  const rows: PageRow[] = [];
  for (let position = start + word; rows.length < length; position += 3 * word) {
    const at = (column: number) => data.slice(position + column * word, position + (column + 1) * word);
    const [account, score, key] = [at(shape.account), at(shape.score), at(shape.key)];
    const address = account.slice(24);
    if (address === zeroAddressDigits) break;
    if (/[^0]/.test(account.slice(0, 24) + score.slice(0, 48) + key.slice(0, 48))) return undefined;
    rows.push({ account: accountOfAddress(`0x${address}`), score: BigInt(`0x${score}`), key: BigInt(`0x${key}`) });
  }
  return rows;
}

/** The value of a word below 2^32, or undefined. */
function smallNumber(digits: string): number | undefined {
  return /^0{56}[0-9a-f]{8}$/i.test(digits) ? Number.parseInt(digits.slice(56), 16) : undefined;
}

/**
 * Rows per page. The reference contract reads two cold slots per row and allocates the whole page, about 5,500 gas per row,
 * and a minievm node aborts a call at 10,000,000 gas.
 */
const pageRows = 1000;

const paddedRowShape: RowShape = { account: 0, score: 1, key: 2 };

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
      const rows = decodeRows(result, paddedRowShape);
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

/**
 * Rows per page, the most that our contract returns: about 4,000 gas per row, below minievm's 10,000,000 gas per call. Rows that
 * are far apart cost up to 12,000 gas each; their pages are shorter.
 */
const maxPageRows = 1000n;

/** Target rows per range of ids: low enough that most ranges take one request. */
const rowsPerRange = 800n;

const rowShape: RowShape = { key: 0, account: 1, score: 2 };

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
      const page = await readPageById(reader, stage, { from, limit }, options);
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

interface Page {
  readonly rows: readonly PageRow[];
  /** The id at which the next page starts, 0 after the last. */
  readonly next: bigint;
}

function readPageById(
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
