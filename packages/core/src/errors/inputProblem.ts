import type { InputIssueReason } from "./inputError.ts";

/**
 * Why a value was rejected, without its place. Functions that read single values return it instead of throwing, because a
 * file with a million bad rows must be read to its end.
 */
export interface InputProblem {
  readonly reason: InputIssueReason;
  /** What is wrong, with the value and what to do next. */
  readonly message: string;
}
