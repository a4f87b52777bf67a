import type { Account } from "../account.ts";
import { u64Max, type Score } from "../stage.ts";
import type { IssueLog } from "./issueLog.ts";

/** Collects rows into the parts of a score table and logs every invalid row. */
export class TableBuilder {
  readonly #issues: IssueLog;
  readonly #positions = new Map<Account, number>();
  /** The input's row number at each position, to name the first of two duplicate rows. */
  readonly #rows: number[] = [];
  /** Holds one account while {@link copyText} copies it. */
  readonly #scratch = Buffer.allocUnsafe(66);
  #scores = new BigUint64Array(1024);
  #total = 0n;

  constructor(issues: IssueLog) {
    this.#issues = issues;
  }

  /**
   * Adds one row, or logs why it cannot be added.
   *
   * `row` is its number in the input, `spelling` the account as written in the input.
   */
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

  /** The parts of the table: each account's position, the scores by position, and their total. */
  finish(): [positions: ReadonlyMap<Account, number>, scores: BigUint64Array, total: bigint] {
    return [this.#positions, this.#scores.slice(0, this.#positions.size), this.#total];
  }

  #insert(account: Account, score: Score, row: number): void {
    const position = this.#positions.size;
    if (position === this.#scores.length) {
      const grown = new BigUint64Array(position * 2);
      grown.set(this.#scores);
      this.#scores = grown;
    }
    this.#scores[position] = score;
    this.#rows.push(row);
    this.#positions.set(this.#copyText(account), position);
  }

  /** A substring keeps its whole text in memory: here, all other columns of a file. So the substring is copied. */
  #copyText(account: Account): Account {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a copy of an account is that account
    return this.#scratch.toString("latin1", 0, this.#scratch.write(account, "latin1")) as Account;
  }
}
