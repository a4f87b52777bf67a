import type { Account } from "../account.ts";
import type { Score } from "../stage.ts";
import { digestScores } from "./digestScores.ts";
import { IssueLog } from "./issueLog.ts";
import { TableBuilder } from "./tableBuilder.ts";

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
  readonly #positions: ReadonlyMap<Account, number>;
  // A typed array holds a million scores in 8 MB; the same number of bigints on the heap takes four times that.
  readonly #scores: BigUint64Array;
  #digest: string | undefined;

  /** @internal Use {@link ScoreTable.from}. `positions` counts up from 0 in its own order. */
  constructor(positions: ReadonlyMap<Account, number>, scores: BigUint64Array, total: bigint) {
    this.#positions = positions;
    this.#scores = scores;
    this.total = total;
  }

  /**
   * Creates a table from rows, in their order.
   *
   * @throws InputError `INPUT_INVALID` with one issue for each row that repeats an account (`ADDRESS_DUPLICATE`), whose
   * score does not fit into u64 (`SCORE_NEGATIVE`, `SCORE_TOO_LARGE`), or that raises the total above u64 (`TOTAL_TOO_LARGE`).
   * Rows are numbered from 1.
   * @example
   * const table = ScoreTable.from([{ account: parseAccount("0x8cad…", { accountBytes: [20] }), score: 12n }]);
   */
  static from(rows: Iterable<ScoreRow>): ScoreTable {
    const issues = new IssueLog("the table");
    const builder = new TableBuilder(issues);
    let row = 0;
    for (const { account, score } of rows) {
      row += 1;
      builder.add(account, score, row, account);
    }
    issues.throwIfAny();
    return new ScoreTable(...builder.finish());
  }

  /** Number of rows, including rows of score 0. */
  get size(): number {
    return this.#positions.size;
  }

  /** Returns the account's score, or undefined if the table has no row for it. */
  get(account: Account): Score | undefined {
    const position = this.#positions.get(account);
    return position === undefined ? undefined : this.#scores[position];
  }

  /** True if the table has a row for the account, even with score 0. */
  has(account: Account): boolean {
    return this.#positions.has(account);
  }

  /** The accounts in input order. */
  keys(): IterableIterator<Account> {
    return this.#positions.keys();
  }

  /** @internal The account's position in input order, from 0, or undefined if the table has no row for it. */
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
