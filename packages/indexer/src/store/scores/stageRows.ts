import type { Account } from "@vipscore/core";
import { accountOf } from "@vipscore/core/engine";

/** Bytes of an account, 20 padded on the left, and of a row. */
const accountBytes = 32;
const rowBytes = accountBytes + 8;

/**
 * The rows of a stage in memory, 44 bytes each: accounts in the order of their bytes, and their scores. Ranks come from a list of
 * the rows in the order of scores, which is made when it is first needed, in some 0.2 s for a million. Immutable.
 */
export class StageRows {
  static readonly none = new StageRows(new Uint8Array(), new BigUint64Array());

  readonly size: number;
  readonly #accounts: Uint8Array;
  readonly #view: DataView;
  readonly #scores: BigUint64Array;
  #byScore: Uint32Array | undefined;

  private constructor(accounts: Uint8Array, scores: BigUint64Array) {
    this.size = scores.length;
    this.#accounts = accounts;
    this.#view = new DataView(accounts.buffer, accounts.byteOffset, accounts.byteLength);
    this.#scores = scores;
  }

  /** @param rows - Each account once. */
  static from(rows: ReadonlyMap<Account, bigint>): StageRows {
    const accounts = Buffer.alloc(accountBytes * rows.size);
    const scores = new BigUint64Array(rows.size);
    let end = 0;
    for (const [account, score] of rows) {
      scores[end] = score;
      end += 1;
      accounts.write(account.slice(2), accountBytes * end - (account.length - 2) / 2, "hex");
    }
    const digits = new Uint16Array(new Uint8Array(Buffer.from(accounts).swap16()).buffer);
    const order = sortByDigits(digits, 16, { isBigEndian: true });
    const sorted = new Uint8Array(accounts.length);
    for (const [at, row] of order.entries())
      sorted.set(accounts.subarray(accountBytes * row, accountBytes * (row + 1)), accountBytes * at);
    return new StageRows(
      sorted,
      BigUint64Array.from(order, (row) => scores[row] ?? 0n),
    );
  }

  /** Reads what {@link StageRows.pack} wrote. */
  static unpack(bytes: Uint8Array): StageRows {
    const size = bytes.length / rowBytes;
    const scores = new Uint8Array(bytes.subarray(accountBytes * size));
    return new StageRows(bytes.subarray(0, accountBytes * size), new BigUint64Array(scores.buffer));
  }

  /** Returns parts of at most so many rows, which unpacked and merged are these rows. */
  *pack(rowsPerPart: number): Generator<Uint8Array> {
    for (let from = 0; from < this.size; from += rowsPerPart) {
      const to = Math.min(this.size, from + rowsPerPart);
      const scores = new Uint8Array(this.#scores.slice(from, to).buffer);
      yield Buffer.concat([this.#accounts.subarray(accountBytes * from, accountBytes * to), scores]);
    }
  }

  /** Bytes of packed rows. */
  static bytesOf(rows: number): number {
    return rowBytes * rows;
  }

  /** Sum of all scores. */
  total(): bigint {
    let sum = 0n;
    for (const score of this.#scores) sum += score;
    return sum;
  }

  /** Returns these rows with others, whose scores count. */
  merge(others: StageRows): StageRows {
    const isAfter = others.size > 0 && this.#search(others.#view, 0).at === this.size;
    const found = Array.from({ length: others.size }, (_, other) =>
      isAfter ? { at: this.size, isFound: false } : this.#search(others.#view, other),
    );
    const added = found.filter(({ isFound }) => !isFound).length;
    if (added === 0) {
      const scores = this.#scores.slice();
      for (const [other, { at }] of found.entries()) scores[at] = others.#scores[other] ?? 0n;
      return new StageRows(this.#accounts, scores);
    }
    const accounts = new Uint8Array(this.#accounts.length + accountBytes * added);
    const scores = new BigUint64Array(this.size + added);
    let size = 0;
    const copy = (rows: StageRows, from: number, to: number): void => {
      if (from === to) return;
      accounts.set(rows.#accounts.subarray(accountBytes * from, accountBytes * to), accountBytes * size);
      scores.set(rows.#scores.subarray(from, to), size);
      size += to - from;
    };
    let done = 0;
    for (let other = 0; other < others.size;) {
      const { at = this.size, isFound } = found[other] ?? {};
      copy(this, done, at);
      // All others that belong here.
      let end = other + 1;
      if (isFound === false) while (found[end]?.at === at && found[end]?.isFound === false) end += 1;
      copy(others, other, end);
      other = end;
      done = isFound === true ? at + 1 : at;
    }
    copy(this, done, this.size);
    return new StageRows(accounts, scores);
  }

  /** Position of an account; undefined if it has no row. */
  find(account: string): number | undefined {
    const { at, isFound } = this.#searchAccount(account);
    return isFound ? at : undefined;
  }

  get(account: string): bigint | undefined {
    const position = this.find(account);
    return position === undefined ? undefined : this.#scores[position];
  }

  /** The row at a position in the order of accounts. */
  at(position: number): { readonly account: Account; readonly score: bigint } {
    const bytes = this.#accounts.subarray(accountBytes * position, accountBytes * (position + 1));
    const hex = Buffer.from(bytes.buffer, bytes.byteOffset, accountBytes).toString("hex");
    return { account: accountOf(`0x${hex.replace(/^0{24}/, "")}`), score: this.#scores[position] ?? 0n };
  }

  *[Symbol.iterator](): Generator<readonly [Account, bigint]> {
    for (let position = 0; position < this.size; position += 1) {
      const { account, score } = this.at(position);
      yield [account, score];
    }
  }

  /** Rank of a score: 1 more than the number of rows with a higher one. */
  rankOf(score: bigint): number {
    return 1 + this.size - lowerBound(this.size, (place) => (this.#scoreAt(place) > score ? 1 : -1));
  }

  /** The positions of the rows from the lowest score to the highest; accounts break ties. */
  get byScore(): Uint32Array {
    return (this.#byScore ??= sortByDigits(new Uint16Array(this.#scores.buffer), 4, { isBigEndian: false }));
  }

  /**
   * Returns how many rows come up to a row, which may be gone, in the order of scores or of accounts, or in its reverse.
   */
  countUpTo(
    { account, score }: { readonly account: string; readonly score: bigint },
    orderBy: "score" | "account",
    reverse: boolean,
  ): number {
    const { at, isFound } = this.#searchAccount(account);
    const isBefore = (rowScore: bigint, position: number): boolean =>
      orderBy === "score" && rowScore !== score ? rowScore < score : position < at;
    const before =
      orderBy === "account"
        ? at
        : lowerBound(this.size, (place) => (isBefore(this.#scoreAt(place), this.byScore[place] ?? 0) ? -1 : 1));
    const isThere = isFound && (orderBy === "account" || this.#scores[at] === score);
    return reverse ? this.size - before : before + Number(isThere);
  }

  #scoreAt(place: number): bigint {
    return this.#scores[this.byScore[place] ?? 0] ?? 0n;
  }

  #searchAccount(account: string): { readonly at: number; readonly isFound: boolean } {
    const bytes = Buffer.from(account.slice(2).padStart(2 * accountBytes, "0"), "hex");
    return this.#search(new DataView(bytes.buffer, bytes.byteOffset, accountBytes), 0);
  }

  /** Finds the first position whose account is not below one of a list. */
  #search(view: DataView, index: number): { readonly at: number; readonly isFound: boolean } {
    const compare = (position: number): number => {
      for (let offset = 0; offset < accountBytes; offset += 4) {
        const own = this.#view.getUint32(accountBytes * position + offset);
        const wanted = view.getUint32(accountBytes * index + offset);
        if (own !== wanted) return own - wanted;
      }
      return 0;
    };
    const at = lowerBound(this.size, compare);
    return { at, isFound: at < this.size && compare(at) === 0 };
  }
}

/** Returns the number of places at the start for which a comparison is negative. */
function lowerBound(size: number, compare: (place: number) => number): number {
  let [from, to] = [0, size];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compare(middle) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Returns the positions of keys in ascending order, sorted by one digit of 16 bits after the other; equal keys keep their order.
 * A list of digits in the order of this machine, which is little-endian.
 */
function sortByDigits(
  digits: Uint16Array,
  perKey: number,
  { isBigEndian }: { readonly isBigEndian: boolean },
): Uint32Array {
  const size = digits.length / perKey;
  let [order, next] = [new Uint32Array(size), new Uint32Array(size)];
  for (let at = 0; at < size; at += 1) order[at] = at;
  for (let pass = 0; pass < perKey; pass += 1) {
    const digit = isBigEndian ? perKey - 1 - pass : pass;
    const starts = new Uint32Array(65_537);
    const digitAt = (position: number): number => digits[perKey * position + digit] ?? 0;
    for (let position = 0; position < size; position += 1) {
      const value = digitAt(position) + 1;
      starts[value] = (starts[value] ?? 0) + 1;
    }
    if (starts.includes(size)) continue;
    for (let value = 1; value < starts.length; value += 1)
      starts[value] = (starts[value] ?? 0) + (starts[value - 1] ?? 0);
    for (const position of order) {
      const value = digitAt(position);
      const place = starts[value] ?? 0;
      starts[value] = place + 1;
      next[place] = position;
    }
    [order, next] = [next, order];
  }
  return order;
}
