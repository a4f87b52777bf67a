import type { Account, HeldScores, ScoreRow } from "@vipscore/core";

/**
 * The sort key of an account: the first six bytes of its address as a number. Our contract stores the scores of a stage in the
 * order of the bytes of addresses, which is the order of accounts as texts.
 */
export function orderKey(account: Account): number {
  return Number.parseInt(account.slice(2, 14), 16);
}

/** Sorts rows by their accounts' addresses. */
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
