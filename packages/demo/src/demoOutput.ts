import { styleText } from "node:util";
import { exitStatusOf, VipError } from "@vipscore/core";

/** Width of a terminal that does not report one. */
const defaultColumns = 120;
const eraseLine = "\r\u001b[2K";

/** Prints the demo's output: the result on stdout and all else on stderr; with `--json`, one object on stdout. */
export class DemoOutput {
  /** True if a line on stderr may be redrawn. */
  readonly isTerminal = process.stderr.isTTY && process.env["TERM"] !== "dumb";
  readonly #json: boolean;
  #transient = false;

  constructor({ json }: { readonly json: boolean }) {
    this.#json = json;
  }

  /** Prints lines of the result. */
  print(text: string): void {
    this.#clearTransient();
    (this.#json ? process.stderr : process.stdout).write(`${text}\n`);
  }

  /** Prints a progress message. */
  note(text: string): void {
    this.#clearTransient();
    process.stderr.write(`${text}\n`);
  }

  /** Prints a warning. */
  warn(text: string): void {
    this.note(`${this.paint("yellow", "warning")}  ${text}`);
  }

  /** Prints the object of `--json`, with bigints as decimal strings; does nothing without it. */
  json(value: object): void {
    if (!this.#json) return;
    const text = JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? item.toString() : item));
    process.stdout.write(`${text}\n`);
  }

  /** Shows a line that the next output replaces; only on a terminal. */
  showTransient(text: string): void {
    if (!this.isTerminal) return;
    // A line that wraps cannot be erased again. Some terminals report a width of 0.
    const columns = process.stderr.columns || defaultColumns;
    process.stderr.write(`${eraseLine}${text.slice(0, columns - 1)}`);
    this.#transient = true;
  }

  /** Returns the text in a style for stderr; plain if stderr is not a terminal or color is disabled. */
  paint(style: "bold" | "dim" | "yellow" | "red", text: string): string {
    return styleText(style, text, { stream: process.stderr });
  }

  #clearTransient(): void {
    if (this.#transient) process.stderr.write(eraseLine);
    this.#transient = false;
  }
}

/** Exit status for a bug in vipscore. */
const faultStatus = 1;

/** Reports on stderr, and with `--json` also on stdout, why the demo ended early; returns its exit status. */
export function reportDemoError(output: DemoOutput, error: unknown, { debug }: { readonly debug: boolean }): number {
  if (debug) output.note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const { code, message, hints, exit } = describe(error);
  output.note([`${output.paint("red", message)}   [${code}, exit ${exit}]`, ...hints].join("\n"));
  output.json({ error: { code, message, hints, exit } });
  return exit;
}

function describe(error: unknown) {
  if (VipError.isVipError(error)) {
    const { code, shortMessage, metaMessages } = error;
    return { code, message: shortMessage, hints: metaMessages, exit: exitStatusOf(code) };
  }
  const message = error instanceof Error ? error.message : String(error);
  const hints = ["This is a bug in vipscore. Run again with --debug and report what it prints."];
  return { code: "INTERNAL", message, hints, exit: faultStatus };
}
