import type { Account, HeldScores, ScoreRow } from "@vipscore/core";
import { addressOf } from "./wasmAddress.ts";

/**
 * Our contract keeps the scores of a stage in the order of the addresses' texts. The characters of bech32 (BIP-173) stand
 * for five bits each, and not in the order of what they stand for: this is the rank of each group's character.
 */
const characters = Array.from("qpzry9x8gf2tvdw0s3jn54khce6mua7l");
const ranks = characters.map((character) => characters.filter((other) => other < character).length);

/**
 * The place of an account among others: the ranks of the first eight characters of its address as a number. Of accounts
 * with the same one only {@link compareAccounts} tells the order.
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

/** Sorts rows in the order of their accounts' addresses. */
export function sortByAddress<Row extends ScoreRow>(rows: readonly Row[]): readonly Row[] {
  return rows
    .map((row) => ({ key: orderKey(row.account), row }))
    .sort((a, b) => a.key - b.key || (addressOf(a.row.account) < addressOf(b.row.account) ? -1 : 1))
    .map(({ row }) => row);
}

/** The bytes that our contract stores for a row: the account in order, and the score seven bits a byte. */
export function storedBytes({ account, score }: ScoreRow): number {
  const accountBytes = account.length === 42 ? 20 : 33;
  return 1 + accountBytes + Math.max(1, Math.ceil(score.toString(2).length / 7));
}

/** Where the rows of a stage lie, without the rows: what it costs to write others depends on it. */
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

  /** The bytes that a row takes on average. */
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
