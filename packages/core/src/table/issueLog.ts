import { InputError, type InputIssue, type InputIssueReason } from "../errors/inputError.ts";

/** Maximum number of rejected values to keep. The rest are only counted, so that a hostile file cannot exhaust memory. */
export const issuesKept = 100_000;

/** Collects what is wrong with one input and throws it as one error. */
export class IssueLog {
  readonly #file: string;
  readonly #issues: InputIssue[] = [];
  #count = 0;
  #rows = 0;
  #lastRow = 0;

  /** `file` is the file's name as the caller wrote it. */
  constructor(file: string) {
    this.#file = file;
  }

  /** True if nothing has been rejected. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Adds one rejected value. Rows arrive in ascending order; a row may have several issues. */
  add(row: number, reason: InputIssueReason, message: string): void {
    this.#count += 1;
    if (row !== this.#lastRow) this.#rows += 1;
    this.#lastRow = row;
    if (this.#issues.length < issuesKept) this.#issues.push({ reason, file: this.#file, row, message });
  }

  /**
   * @throws InputError `INPUT_INVALID` with the issues in input order, if there are any. Its short message counts all
   * refused rows, including those whose issues were not kept.
   */
  throwIfAny(): void {
    if (this.isEmpty) return;
    const rows = `${this.#rows.toLocaleString("en-US")} ${this.#rows === 1 ? "row" : "rows"}`;
    throw new InputError(`${rows} of ${this.#file} refused`, { issues: this.#issues, metaMessages: this.#notes() });
  }

  /**
   * Stops reading an input that cannot be read further.
   *
   * @throws InputError `INPUT_INVALID` with the issues so far and this one.
   */
  refuse(reason: Extract<InputIssueReason, `FILE_${string}`>, message: string, row?: number): never {
    const last: InputIssue = { reason, file: this.#file, message, ...(row !== undefined && { row }) };
    throw new InputError(`${this.#file} refused`, { issues: [...this.#issues, last], metaMessages: this.#notes() });
  }

  #notes(): readonly string[] {
    const unlisted = this.#count - this.#issues.length;
    if (unlisted === 0) return [];
    return [
      `Only the first ${issuesKept.toLocaleString("en-US")} problems are listed; ${unlisted.toLocaleString("en-US")} more were found.`,
    ];
  }
}
