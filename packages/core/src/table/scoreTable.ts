import { createHash } from "node:crypto";
import type { Account } from "../account.ts";
import { accountOf, formatBech32, formatChecksummed, parseAccount } from "../account/readAccount.ts";
import { IssueLog } from "../errors/inputError.ts";
import { u64Max, type Score } from "../stage.ts";

/** One account's score. */
export interface ScoreRow {
  readonly account: Account;
  readonly score: Score;
}

/**
 * The scores that a stage should have: each account at most once, every score and the total within u64.
 *
 * Immutable. Made from a file by `readScores`, from rows in memory by {@link ScoreTable.from}.
 */
export class ScoreTable implements Iterable<ScoreRow> {
  /** Sum of all scores, 0 to 2^64 - 1. */
  readonly total: bigint;
  /** Name of the file that it was read from. */
  readonly file: string | undefined;
  readonly #positions: ReadonlyMap<Account, number>;
  // A typed array holds a million scores in 8 MB; the same number of bigints on the heap takes four times that.
  readonly #scores: BigUint64Array;
  readonly #rows: Uint32Array;
  #digest: string | undefined;

  /** @internal Use {@link ScoreTable.from}. `positions` counts up from 0 in its own order. */
  constructor(
    positions: ReadonlyMap<Account, number>,
    scores: BigUint64Array,
    total: bigint,
    rows: Uint32Array,
    file: string | undefined,
  ) {
    this.file = file;
    this.#positions = positions;
    this.#scores = scores;
    this.total = total;
    this.#rows = rows;
  }

  /**
   * Creates a table from rows, in their order. Accounts may have any spelling.
   *
   * @throws InputError `INPUT_INVALID` for an account that cannot be read, or with one issue for each row that repeats an account (`ADDRESS_DUPLICATE`), whose
   * score does not fit into u64 (`SCORE_NEGATIVE`, `SCORE_TOO_LARGE`), or that raises the total above u64 (`TOTAL_TOO_LARGE`).
   * Rows are numbered from 1.
   * @example
   * const table = ScoreTable.from([{ account: "0x8cad25ec80a10522c258e2f59abf0006c9445d1b", score: 12n }]);
   */
  static from(rows: Iterable<{ readonly account: string; readonly score: Score }>): ScoreTable {
    const issues = new IssueLog("the table");
    const builder = new TableBuilder(issues);
    let row = 0;
    for (const { account, score } of rows) {
      row += 1;
      builder.add(accountOf(account), score, row, account);
    }
    issues.throwIfAny();
    return new ScoreTable(...builder.finish());
  }

  /** Number of rows, including rows of score 0. */
  get size(): number {
    return this.#positions.size;
  }

  /** Returns the account's score, or undefined if the table has no row for it. */
  get(account: string): Score | undefined {
    const position = this.#find(account);
    return position === undefined ? undefined : this.#scores[position];
  }

  /** True if the table has a row for the account, even with score 0. */
  has(account: string): boolean {
    return this.#find(account) !== undefined;
  }

  /** The number of the account's row in the input, from 1: of the line in CSV and JSON Lines, of the element in JSON. */
  rowOf(account: string): number | undefined {
    const position = this.#find(account);
    return position === undefined ? undefined : this.#rows[position];
  }

  #find(account: string): number | undefined {
    const position = this.positionOf(accountOf(account));
    // On Move, 64 digits may be an account of 20 bytes.
    if (position !== undefined || account.length !== 66) return position;
    return this.positionOf(parseAccount(account, { accountBytes: [20, 32] }));
  }

  /** The accounts in input order. */
  keys(): IterableIterator<Account> {
    return this.#positions.keys();
  }

  /** The account's position in input order, from 0, or undefined if the table has no row for it. */
  positionOf(account: Account): number | undefined {
    return this.#positions.get(account);
  }

  /** The rows in input order. */
  *[Symbol.iterator](): IterableIterator<ScoreRow> {
    for (const [account, position] of this.#positions) yield { account, score: this.#scores[position] ?? 0n };
  }

  /** {@link digestScores} of this table; computed once, then kept. */
  digest(): string {
    this.#digest ??= digestScores(this);
    return this.#digest;
  }
}

/** Collects rows into the parts of a score table and logs every invalid row. */
export class TableBuilder {
  readonly #issues: IssueLog;
  readonly #positions = new Map<Account, number>();
  /** Holds one account while {@link copyText} copies it. */
  readonly #scratch = Buffer.allocUnsafe(66);
  #scores = new BigUint64Array(1024);
  /** The input's row number at each position. */
  #rows = new Uint32Array(1024);
  #total = 0n;

  constructor(issues: IssueLog) {
    this.#issues = issues;
  }

  /** Adds one row, or logs why it cannot be added. `spelling` is the account as written in the input. */
  add(account: Account, score: Score, row: number, spelling: string): void {
    if (score < 0n) {
      this.#issues.add(row, "SCORE_NEGATIVE", `score ${score} is negative; scores go from 0 to ${u64Max}`);
      return;
    }
    if (score > u64Max) {
      this.#issues.add(row, "SCORE_TOO_LARGE", `score ${score} is above ${u64Max}, the largest a contract can hold`);
      return;
    }
    const first = this.#positions.get(account);
    if (first !== undefined) {
      const where = `already in row ${this.#rows[first]}`;
      const isSameForm = spelling.toLowerCase() === account;
      const message = isSameForm ? `${spelling} is ${where}` : `${spelling} is ${account}, ${where}`;
      this.#issues.add(row, "ADDRESS_DUPLICATE", message);
      return;
    }
    this.#insert(account, score, row);
    const hadRoom = this.#total <= u64Max;
    this.#total += score;
    // Only the row at which the total overflows is wrong, not every row after it.
    if (hadRoom && this.#total > u64Max) {
      const message = `with this row the total is ${this.#total}, above ${u64Max}, the largest a contract can hold`;
      this.#issues.add(row, "TOTAL_TOO_LARGE", message);
    }
  }

  /** The parts of the table: each account's position, scores by position, their total, and row numbers by position. */
  finish(file?: string): ConstructorParameters<typeof ScoreTable> {
    const { size } = this.#positions;
    return [this.#positions, this.#scores.slice(0, size), this.#total, this.#rows.slice(0, size), file];
  }

  #insert(account: Account, score: Score, row: number): void {
    const position = this.#positions.size;
    if (position === this.#scores.length) {
      const grown = new BigUint64Array(position * 2);
      grown.set(this.#scores);
      this.#scores = grown;
      const rows = new Uint32Array(position * 2);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    this.#scores[position] = score;
    this.#rows[position] = row;
    this.#positions.set(this.#copyText(account), position);
  }

  /** A substring keeps its whole text in memory: here, all other columns of a file. So the substring is copied. */
  #copyText(account: Account): Account {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy of an account is that account
    return this.#scratch.toString("latin1", 0, this.#scratch.write(account, "latin1")) as Account;
  }
}

const linesPerUpdate = 1000;

/** Scores by account: a table, a stage, a map. */
export interface ScoresByAccount {
  keys(): Iterable<Account>;
  get(account: Account): Score | undefined;
}

/**
 * Returns the SHA-256, in hex, of the canonical text of scores: one line `account,score\n` for each score above 0, sorted ascending
 * by the account's text.
 *
 * Two sets of scores with equal digests are the same to L1, which treats a missing row as a row of 0. The
 * digest depends neither on the order of rows nor on how an input spelled an account.
 */
export function digestScores(scores: ScoresByAccount): string {
  // Only the accounts are sorted: a million lines, or pairs, would take another 100 MB.
  const accounts = Array.from(scores.keys()).sort();
  const hash = createHash("sha256");
  // Fewer, larger updates: one call per row would cost more than the hashing.
  for (let start = 0; start < accounts.length; start += linesPerUpdate) {
    let lines = "";
    for (const account of accounts.slice(start, start + linesPerUpdate)) {
      const score = scores.get(account) ?? 0n;
      if (score > 0n) lines += `${account},${score}\n`;
    }
    hash.update(lines);
  }
  return hash.digest("hex");
}

/** Spelling of accounts in a written file. */
export interface FormatScoresOptions {
  /** `hex` with EIP-55 capitals, or `bech32`. Default: `hex`. */
  readonly accounts?: "hex" | "bech32";
  /** Human-readable part of bech32 addresses. Default: `init`. */
  readonly bech32Prefix?: string;
}

/** Minimum length of the pieces of text; writing each line separately would be far slower. */
const pieceLength = 65_536;

/**
 * Writes rows as CSV text that `readScores` reads back: the header `address,score`, then one line per row, in order.
 * Yields pieces of whole lines; `pipeline` streams them into a file. Takes pages of rows: a table in an array, or
 * the result of `ScoreContract.getScores`.
 *
 * @example
 * await pipeline(formatScores([table]), createWriteStream("scores.csv"));
 */
export async function* formatScores(
  pages: AsyncIterable<Iterable<ScoreRow>> | Iterable<Iterable<ScoreRow>>,
  options: FormatScoresOptions = {},
): AsyncGenerator<string, void, undefined> {
  let piece = "address,score\n";
  for await (const page of pages) {
    for (const { account, score } of page) {
      const spelling =
        options.accounts === "bech32" ? formatBech32(account, options.bech32Prefix) : formatChecksummed(account);
      piece += `${spelling},${score}\n`;
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = "";
    }
  }
  if (piece !== "") yield piece;
}
