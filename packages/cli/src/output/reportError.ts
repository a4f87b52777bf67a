import type { ErrorCode, InputIssue } from "@vipscore/core";
import { CheckError, exitStatusOf, InputError, VerificationError, VipError } from "@vipscore/core/errors";
import { count } from "@vipscore/core/values";
import { hintLines, wordedIssue } from "./hintLines.ts";
import type { Output } from "./output.ts";
import { verificationJson } from "./verificationJson.ts";
import { printDifferences } from "./verificationText.ts";

/** Column at which `[CODE, exit N]` starts. */
const tagColumn = 73;
/** Maximum number of rejected rows shown on a terminal; a file or a pipe gets all. */
const maxRowsOnTerminal = 50;
/** Exit status of a bug in vipscore itself. */
const faultStatus = 1;

export interface ReportOptions {
  /** Also print the stack. */
  readonly debug: boolean;
}

/** Reports why a command failed, for people on stderr and with `--json` also on stdout. Returns its exit status. */
export function reportError(output: Output, error: unknown, options: ReportOptions): number {
  if (options.debug) output.note(stackOf(error));
  if (!VipError.isVipError(error)) return reportFault(output, error, options);
  const exit = exitStatusOf(error.code);
  const issues = error instanceof InputError ? error.issues.map(wordedIssue) : [];
  // The summary already contains a problem of the whole file.
  const listed = issues.filter((issue) => !error.shortMessage.includes(issue.message));
  printIssues(output, listed);
  if (error instanceof VerificationError) printDifferences(output, error.verification);
  const hints = [...hintLines(error), ...chainsOwnWords(error)];
  const summary = issues.length > 0 ? `${error.shortMessage}, nothing was sent.` : error.shortMessage;
  output.note(
    tagged([output.paintNote("red", summary), ...hints], [summary, ...hints], `[${error.code}, exit ${exit}]`),
  );
  output.json({
    ...(error instanceof RefusedReport ? error.report : {}),
    error: { code: error.code, message: error.shortMessage, hints, exit, ...(issues.length > 0 ? { issues } : {}) },
    ...(error instanceof VerificationError ? { verification: verificationJson(error.verification) } : {}),
  });
  return exit;
}

function reportFault(output: Output, error: unknown, { debug }: ReportOptions): number {
  const message = error instanceof Error ? error.message : String(error);
  const hint = debug ? [] : ["This is a bug in vipscore. Run again with --debug and report the output."];
  output.note(tagged([message, ...hint], [message, ...hint], `[INTERNAL, exit ${faultStatus}]`));
  output.json({ error: { code: "INTERNAL", message, hints: hint, exit: faultStatus } });
  return faultStatus;
}

function printIssues(output: Output, issues: readonly InputIssue[]): void {
  const shown = output.isTerminal && issues.length > maxRowsOnTerminal ? issues.slice(0, maxRowsOnTerminal) : issues;
  for (const { file, row, message } of shown) {
    output.note(row === undefined ? `${file}  ${message}` : `${file}:${row}  ${message}`);
  }
  const left = issues.length - shown.length;
  if (left > 0) output.note(`and ${count(left, "more row", "more rows")}; --json lists all`);
}

/** Returns the node's message, unless the error already contains it. */
export function chainsOwnWords({ details, message }: VipError): readonly string[] {
  const text = details?.trim() ?? "";
  // Indented, so that none of its lines can be taken for this program's own.
  return text === "" || message.includes(text) ? [] : [`Details: ${text.replaceAll("\n", "\n  ")}`];
}

/** Puts the tag to the right of the last line, or below it if that line is too long. */
function tagged(lines: readonly string[], plain: readonly string[], tag: string): string {
  const last = plain.at(-1) ?? "";
  const gap = last.length + 2 < tagColumn ? " ".repeat(tagColumn - last.length) : `\n${" ".repeat(tagColumn)}`;
  return `${lines.join("\n")}${gap}${tag}`;
}

/** Returns the stacks of an error and its causes; only stacks, because other properties may contain a secret. */
export function stackOf(error: unknown): string {
  const stacks: string[] = [];
  for (let current = error; current instanceof Error && stacks.length < 8; current = current.cause) {
    stacks.push(current.stack ?? current.message);
  }
  return stacks.length === 0 ? String(error) : stacks.join("\ncaused by: ");
}

/** A check that failed after the command printed its report: `--json` prints one object with both. */
export class RefusedReport extends CheckError {
  static override readonly className: string = "RefusedReport";

  override readonly name: string = "RefusedReport";
  /** The report, for `--json`. */
  readonly report: object;

  constructor(shortMessage: string, options: { readonly code: ErrorCode; readonly report: object }) {
    super(shortMessage, { code: options.code });
    this.report = options.report;
  }
}
