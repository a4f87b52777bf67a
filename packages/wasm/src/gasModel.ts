import type {
  Account,
  EntryPointOptions,
  HeldScores,
  OtherCall,
  PricedRow,
  RowToWrite,
  ScoreRow,
  SignalOptions,
  TransactionLimits,
} from "@vipscore/core";
import type { RestClient } from "@vipscore/core/wire";
import { accountLimits, readBlockGas, type CosmosAccount } from "@vipscore/cosmos";

/**
 * Upper bound of the gas of an `update_scores` transaction without its rows. Measured: 101,411 on our contract, 100,010 on
 * the reference contract; 1,300 more if a fee is paid.
 */
export const baseGas = 150_000n;

/** Gas per byte of a transaction (Cosmos SDK 0.50, `tx_size_cost_per_byte`), and the bytes of punctuation around a row. */
const transactionByteGas = 10;
const rowMarks = `["",],`.length;

/** Bytes of a row in a transaction. */
function transactionBytes(row: ScoreRow, packed: boolean): number {
  // Base64 inside the JSON message: four bytes for three.
  if (packed) return Math.ceil((packedBytes(row) * 4) / 3);
  const addressLength = row.account.length === 42 ? 43 : 63;
  return addressLength + row.score.toString().length + rowMarks;
}

/**
 * Our contract with its pages. Measured on vipnode (wasmd 0.55) with 1 to 2,700 rows in stages of 0 to 8,000: a row costs
 * 550 (packed 60) besides its bytes in the transaction and its page, each row rewritten with it 38 per byte, a page 3,600.
 */
const row = { gas: 600, packedGas: 120, byteGas: 33 };
const neighborByteGas = 40;
const pageGas = 3_900;

/** Most rows of a page (`ROWS_PER_PAGE` of the contract), and the fewest on average once pages have been split. */
const fullPage = 10;
const dividedPage = 5.5;
/** Rows per page when pages are written in one batch. */
const freshPage = 9;

/**
 * Prices rows for our contract in order of address, so that neighbors share a page, which a batch reads and writes once.
 * `order` describes the stage's existing rows.
 */
export function priceRows(
  rows: readonly RowToWrite[],
  order: RowOrder,
  { packed }: { readonly packed: boolean },
): readonly PricedRow[] {
  const sorted = sortByAddress(rows);
  // For each row, how many other rows of the stage come before it.
  const others: number[] = [];
  let written = 0;
  for (const { account, current } of sorted) {
    others.push(order.rowsBefore(orderKey(account)) - written);
    if (current !== undefined) written += 1;
  }
  const otherRows = order.length - written;
  return sorted.map((planned, index) => {
    const { account, score, current } = planned;
    const isNew = current === undefined;
    const here = others[index] ?? 0;
    const before = Math.max(0, here - (others[index - 1] ?? 0));
    const after = Math.max(0, (others[index + 1] ?? otherRows) - here);
    // A row beyond a full page splits it.
    const maxPages = isNew ? 2 : 1;
    const rowsAPage = order.length === 0 ? freshPage : dividedPage;
    const pages = Math.min(maxPages, (before + 1) / rowsAPage);
    const neighbors = Math.min(isNew ? fullPage : fullPage - 1, (before + after) / 2);
    const work = packed ? row.packedGas : row.gas;
    const own = work + transactionByteGas * transactionBytes(planned, packed) + row.byteGas * packedBytes(planned);
    const shared = pages * pageGas + neighbors * neighborByteGas * order.rowBytes;
    return { account, score, current, gas: BigInt(Math.ceil(own + shared)), packed };
  });
}

/**
 * Prices rows for the reference contract, which stores each score under a separate key: every order costs the same gas. In order
 * of address, a node that stores keys in their order writes and reads neighbors faster.
 * Measured with 500 to 2,700 rows of 20 bytes and scores of 4 digits: 16,230 gas per row on miniwasm, 14,932 on vipnode; up
 * to 45 more per byte of the account's address and 77 per digit.
 */
export function pricePublishedRows(
  rows: readonly RowToWrite[],
  { packed }: { readonly packed: boolean },
): readonly PricedRow[] {
  return sortByAddress(rows).map(({ account, score, current }) => {
    const digits = BigInt(score.toString().length);
    const gas = (account.length === 42 ? 16_300n : 17_300n) + 80n * digits;
    return { account, score, current, gas, packed };
  });
}

/**
 * Upper bound of the gas of a call other than `updateScores`. Measured: 110,588 to finalize the reference contract on miniwasm.
 */
export function otherCallGas(call: OtherCall): bigint {
  return fixedCallGas + (call.kind === "setMembers" ? memberGas * BigInt(call.accounts.length) : 0n);
}

/** Upper bounds of the gas of a call that changes one thing, and of a member in a list. */
export const fixedCallGas = 200_000n;
export const memberGas = 9_500n;

/** Signature, key, both addresses, names and fee at their maximum (about 480 bytes). */
const baseBytes = 700;

/** `["init1…",18446744073709551615],` with an address of 32 bytes; 20 less with one of 20 bytes. */
const publishedRowBytes = 89;

/** In a packed batch: length, address of 32 bytes and score of eight bytes, in base64. */
const packedRowBytes = 56;

export async function transactionLimits(
  rest: RestClient,
  account: CosmosAccount | undefined,
  { packed = false, signal }: EntryPointOptions & SignalOptions,
): Promise<TransactionLimits> {
  const blockGas = await readBlockGas(rest, signal);
  const rowBytes = packed ? packedRowBytes : publishedRowBytes;
  // In amino JSON a message is the same text as in the transaction itself.
  return accountLimits({ baseGas, baseBytes, rowBytes, documentRowBytes: rowBytes, blockGas }, account);
}

/**
 * The sort key of an account: the first six bytes of its address as a number. Our contract stores the scores of a stage in the
 * order of the bytes of addresses, which is the order of accounts as texts.
 */
export function orderKey(account: Account): number {
  return Number.parseInt(account.slice(2, 14), 16);
}

export function sortByAddress<Row extends ScoreRow>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (a.account < b.account ? -1 : 1));
}

/** The positions of a stage's rows, without the rows themselves: the cost of writing other rows depends on them. */
export class RowOrder {
  readonly #keys: Float64Array;
  readonly #bytes: number;

  constructor(scores: HeldScores) {
    this.#keys = new Float64Array(scores.size);
    let [index, bytes] = [0, 0];
    for (const [account, score] of scores) {
      this.#keys[index] = orderKey(account);
      index += 1;
      bytes += packedBytes({ account, score });
    }
    this.#keys.sort();
    this.#bytes = bytes;
  }

  /** The number of rows. */
  get length(): number {
    return this.#keys.length;
  }

  /** The average bytes of a row. */
  get rowBytes(): number {
    return this.length === 0 ? 0 : this.#bytes / this.length;
  }

  /** The number of rows before a key. */
  rowsBefore(key: number): number {
    let [from, to] = [0, this.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#keys[middle] ?? 0) < key) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/**
 * Packs rows for `update_scores_packed`, one after another: the length of the address in one byte, the bytes of the address,
 * the score in eight bytes, the highest first (W19 of contracts/wasm/SPEC.md).
 */
export function packRows(rows: readonly ScoreRow[]): Buffer {
  return Buffer.concat(
    rows.map(({ account, score }) => {
      const address = Buffer.from(account.slice(2), "hex");
      const packed = Buffer.alloc(packedBytes({ account, score }));
      packed[0] = address.length;
      address.copy(packed, 1);
      packed.writeBigUInt64BE(score, 1 + address.length);
      return packed;
    }),
  );
}

/** The bytes of a packed row, in a message and in the contract's pages. */
export function packedBytes({ account }: ScoreRow): number {
  return 1 + (account.length - 2) / 2 + 8;
}
