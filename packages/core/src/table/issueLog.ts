import { InputError, type InputIssue, type InputIssueReason } from "../errors/inputError.ts";

/** How many rejected values are kept; the others are only counted, so that a hostile file cannot fill the memory. */
const issuesKept = 100_000;

/** Collects what is wrong with the rows of one input, and makes one error of it. */
export class IssueLog {
  /** The file's name as the caller gave it. */
  readonly file: string;
  readonly #issues: InputIssue[] = [];
  #count = 0;
  #rows = 0;
  #lastRow = 0;

  constructor(file: string) {
    this.file = file;
  }

  /** Adds one rejected value. Rows arrive in ascending order; a row may have several issues. */
  add(row: number, reason: InputIssueReason, message: string): void {
    this.#count += 1;
    if (row !== this.#lastRow) this.#rows += 1;
    this.#lastRow = row;
    if (this.#issues.length < issuesKept) this.#issues.push({ reason, file: this.file, row, message });
  }

  /**
   * @throws InputError `INPUT_INVALID` with the issues in input order, if there are any; its short message counts every
   * refused row, also those whose issue was not kept.
   */
  throwIfAny(): void {
    if (this.#count === 0) return;
    const rows = `${this.#rows.toLocaleString("en-US")} ${this.#rows === 1 ? "row" : "rows"}`;
    const unlisted = this.#count - this.#issues.length;
    const note = `${unlisted.toLocaleString("en-US")} further problems are counted but not listed`;
    throw new InputError(this.file === "rows" ? `${rows} refused` : `${rows} of ${this.file} refused`, {
      issues: this.#issues,
      ...(unlisted > 0 && { metaMessages: [note] }),
    });
  }
}

/** Makes the error for a problem of the whole file, or of the place where reading it had to stop. */
export function fileRefused(
  file: string,
  reason: Extract<InputIssueReason, `FILE_${string}`>,
  message: string,
  row?: number,
): InputError {
  const issue: InputIssue = { reason, file, message, ...(row !== undefined && { row }) };
  return new InputError(`${file} refused: ${message}`, { issues: [issue] });
}
