import type { Account, HeldScores, ScoreRow } from "@vipscore/core";
import { addressOf } from "./wasmAddress.ts";

/**
 * Our contract stores the scores of a stage in the order of the address texts. A bech32 character (BIP-173) encodes five
 * bits, and characters do not sort in the order of their values: these are the ranks of the characters by value.
 */
const characters = Array.from("qpzry9x8gf2tvdw0s3jn54khce6mua7l");
const ranks = characters.map((character) => characters.filter((other) => other < character).length);

/**
 * The sort key of an account: the ranks of the first eight characters of its address as a number. Accounts with equal keys
 * are ordered by {@link compareAccounts}.
 */
export function orderKey(account: Account): number {
  let key = 0;
  // Twenty bits, five hex digits, are four characters.
  for (const start of [2, 7]) {
    const bits = Number.parseInt(account.slice(start, start + 5), 16);
    for (let shift = 15; shift >= 0; shift -= 5) key = key * 32 + (ranks[(bits >> shift) & 31] ?? 0);
  }
  return key;
}

/** Sorts rows by their accounts' addresses. */
export function sortByAddress<Row extends ScoreRow>(rows: readonly Row[]): readonly Row[] {
  return rows
    .map((row) => ({ key: orderKey(row.account), row }))
    .sort((a, b) => a.key - b.key || (addressOf(a.row.account) < addressOf(b.row.account) ? -1 : 1))
    .map(({ row }) => row);
}

/** The number of bytes that our contract stores for a row: the order key, and the score with seven bits per byte. */
export function storedBytes({ account, score }: ScoreRow): number {
  const accountBytes = account.length === 42 ? 20 : 33;
  return 1 + accountBytes + Math.max(1, Math.ceil(score.toString(2).length / 7));
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
      bytes += storedBytes({ account, score });
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
