import type { Account } from "../account.ts";
import type { Score } from "../score.ts";
import { digestScores } from "./digestScores.ts";
import { IssueLog } from "./issueLog.ts";
import { TableBuilder } from "./tableBuilder.ts";

/** One account's score. */
export interface ScoreRow {
  readonly account: Account;
  readonly score: Score;
}

/**
 * The scores that one stage shall have: every account at most once, every score and their total within u64.
 *
 * Immutable. Made from a file by `readScores`, from rows in memory by {@link ScoreTable.from}.
 */
export class ScoreTable implements Iterable<ScoreRow> {
  /** Sum of all scores, 0 to 2^64 - 1. */
  readonly total: bigint;
  readonly #positions: ReadonlyMap<Account, number>;
  // A typed array holds a million scores in 8 MB; as many bigints on the heap take four times that.
  readonly #scores: BigUint64Array;
  #digest: string | undefined;

  /** @internal Use {@link ScoreTable.from}. `positions` counts up from 0 in its own order. */
  constructor(positions: ReadonlyMap<Account, number>, scores: BigUint64Array, total: bigint) {
    this.#positions = positions;
    this.#scores = scores;
    this.total = total;
  }

  /**
   * Makes a table from rows, which keep their order.
   *
   * @throws InputError `INPUT_INVALID` with one issue for each row that repeats an account (`ADDRESS_DUPLICATE`), whose
   * score is not in u64 (`SCORE_NEGATIVE`, `SCORE_TOO_LARGE`), or that takes the total above u64 (`TOTAL_TOO_LARGE`).
   * Issues number the rows from 1.
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

  /** Number of rows, rows of score 0 included. */
  get size(): number {
    return this.#positions.size;
  }

  /** The account's score, or undefined when the table has no row for it. */
  get(account: Account): Score | undefined {
    const position = this.#positions.get(account);
    return position === undefined ? undefined : this.#scores[position];
  }

  /** True if the table has a row for the account, also one of score 0. */
  has(account: Account): boolean {
    return this.#positions.has(account);
  }

  /** The accounts in the order of the input. */
  keys(): IterableIterator<Account> {
    return this.#positions.keys();
  }

  /** @internal The account's place in the order of the input, from 0, or undefined when the table has no row for it. */
  positionOf(account: Account): number | undefined {
    return this.#positions.get(account);
  }

  /** The rows in the order of the input. */
  *[Symbol.iterator](): IterableIterator<ScoreRow> {
    for (const [account, position] of this.#positions) yield { account, score: this.#scores[position] ?? 0n };
  }

  /** {@link digestScores} of this table; computed once, then kept. */
  digest(): string {
    this.#digest ??= digestScores(this);
    return this.#digest;
  }
}
