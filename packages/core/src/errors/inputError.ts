import type { Hint } from "./hint.ts";
import { VipError, type VipErrorOptions } from "./vipError.ts";

/** Why one row of a score table, or one argument, was rejected. */
export type InputIssueReason =
  | "ADDRESS_INVALID"
  | "ADDRESS_CHECKSUM"
  | "ADDRESS_PREFIX"
  | "ADDRESS_LENGTH"
  | "ADDRESS_ZERO"
  | "ADDRESS_DUPLICATE"
  | "SCORE_INVALID"
  | "SCORE_NEGATIVE"
  | "SCORE_FRACTION"
  | "SCORE_TOO_LARGE"
  | "TOTAL_TOO_LARGE"
  | "ROW_MALFORMED"
  | "FILE_EMPTY"
  | "FILE_BINARY"
  | "FILE_MALFORMED";

/**
 * Why a value was rejected, without its place. Functions that read single values return it instead of throwing, because a
 * file with a million bad rows must be read to its end.
 */
export interface InputProblem {
  readonly reason: InputIssueReason;
  /** The problem, with the value and what to do next. */
  readonly message: string;
  /** What to do next, with which the message ends, if a program can word it with its own options. */
  readonly hint?: Hint;
}

/** One rejected row or value. */
export interface InputIssue {
  readonly reason: InputIssueReason;
  /** The file's name as the caller wrote it. */
  readonly file: string;
  /** Line number in the file (CSV, JSON Lines) or element number (JSON), from 1; undefined if the issue concerns the whole file. */
  readonly row?: number;
  /** The problem, with the value and what to do next; without file and row. */
  readonly message: string;
  /** What to do next, with which the message ends, if a program can word it with its own options. */
  readonly hint?: Hint;
}

/** Number of rejected rows that the message lists; `issues` has all. */
const issuesInMessage = 10;

/** The caller's data cannot be used; nothing was sent. `issues` lists every rejected row. */
export class InputError extends VipError {
  static override readonly className: string = "InputError";

  override readonly name: string = "InputError";
  readonly issues: readonly InputIssue[];

  constructor(
    shortMessage: string,
    options: Partial<VipErrorOptions> & { readonly issues?: readonly InputIssue[] } = {},
  ) {
    super(shortMessage, { code: "INPUT_INVALID", ...options });
    this.issues = options.issues ?? [];
    // A caller that prints only the message must also see what is wrong.
    this.message = [this.message, ...this.issues.slice(0, issuesInMessage).map(describeIssue)].join("\n");
  }
}

function describeIssue({ file, row, message }: InputIssue): string {
  return row === undefined ? `${file}  ${message}` : `${file}:${row}  ${message}`;
}

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
  add(row: number, reason: InputIssueReason, message: string, hint?: Hint): void {
    this.#count += 1;
    if (row !== this.#lastRow) this.#rows += 1;
    this.#lastRow = row;
    if (this.#issues.length < issuesKept)
      this.#issues.push({ reason, file: this.#file, row, message, ...(hint && { hint }) });
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
  refuse(reason: Extract<InputIssueReason, `FILE_${string}`>, message: string, row?: number, hint?: Hint): never {
    const last: InputIssue = {
      reason,
      file: this.#file,
      message,
      ...(row !== undefined && { row }),
      ...(hint && { hint }),
    };
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
