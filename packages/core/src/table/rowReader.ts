import { readAccount, type AccountOptions } from "../account/readAccount.ts";
import type { IssueLog } from "./issueLog.ts";
import { readScore, type ScoreOptions } from "./readScore.ts";
import type { TableBuilder } from "./tableBuilder.ts";

/** Options for reading the fields of a row. */
export interface RowOptions extends AccountOptions, ScoreOptions {}

/** Reads the two fields of a row, in any file format, and adds the row to the table. */
export class RowReader {
  readonly #options: RowOptions;
  readonly #issues: IssueLog;
  readonly #builder: TableBuilder;
  /** Number of rows read, including rejected rows. */
  count = 0;

  constructor(options: RowOptions, issues: IssueLog, builder: TableBuilder) {
    this.#options = options;
    this.#issues = issues;
    this.#builder = builder;
  }

  /** Reads one row; checks both fields even if the first is wrong. `scoreName` is the file's name for the score. */
  read(row: number, address: string, score: string, scoreName: string): void {
    this.count += 1;
    const spelling = address.trim();
    const account = readAccount(spelling, this.#options);
    const parsed = readScore(score.trim(), scoreName, this.#options);
    if (typeof account !== "string") this.#issues.add(row, account.reason, account.message);
    if (typeof parsed !== "bigint") this.#issues.add(row, parsed.reason, parsed.message);
    if (typeof account === "string" && typeof parsed === "bigint") this.#builder.add(account, parsed, row, spelling);
  }

  /** True if the field can be an account. */
  isAccount(field: string): boolean {
    return typeof readAccount(field.trim(), this.#options) === "string";
  }

  /** Logs a row that does not have the two fields. */
  reject(row: number, message: string): void {
    this.count += 1;
    this.#issues.add(row, "ROW_MALFORMED", message);
  }
}
