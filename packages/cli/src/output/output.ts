import { randomUUID } from "node:crypto";
import { styleText } from "node:util";
import { wrapLines } from "@vipscore/core/values";
import type { Io, OutputStream } from "../io.ts";
import { printableLines, printableText, toJson } from "./printable.ts";
import type { Scrubber } from "./scrubber.ts";

/** Width of a terminal that does not report its own, or reports 0. */
const defaultColumns = 120;

function columnsOf({ isTTY, columns }: OutputStream): number {
  return isTTY === true ? columns || defaultColumns : Infinity;
}

const escape = "\u001b";

/** The styles in use; a style never adds meaning to the text. */
export type Style = "bold" | "dim" | "red" | "green" | "yellow";

/**
 * The output of a command. Without `--json`, results go to stdout and progress to stderr. With `--json`, exactly one object
 * goes to stdout (`watch`: one per round), and all text for people to stderr.
 *
 * All text passes through here: it removes secrets, and makes control sequences of terminals and commands of CI systems
 * harmless.
 */
export class Output {
  readonly isJson: boolean;
  /** True when progress may redraw a line on stderr. */
  readonly isTerminal: boolean;
  readonly #io: Io;
  readonly #scrubber: Scrubber;
  /** Placeholder for the escape character of this program's own styles, which text from outside cannot contain. */
  readonly #ownEscape = `\uFDD0${randomUUID()}\uFDD0`;
  #transient = false;

  constructor(io: Io, options: { readonly json: boolean; readonly scrubber: Scrubber }) {
    this.#io = io;
    this.#scrubber = options.scrubber;
    this.isJson = options.json;
    this.isTerminal = io.stderr.isTTY === true && io.env["TERM"] !== "dumb";
  }

  /** Prints one or more lines of the result, for people. */
  print(text: string): void {
    this.printLines(`${text}\n`);
  }

  /** Prints text that already ends with a line feed. */
  printLines(text: string): void {
    this.#write(this.#resultStream, text);
  }

  /** Prints a line about progress, for people. */
  note(text: string): void {
    this.#write(this.#io.stderr, `${text}\n`);
  }

  warn(text: string): void {
    this.note(`${this.#paint("yellow", "warning", this.#io.stderr)}  ${text}`);
  }

  warnAll(texts: readonly string[]): void {
    for (const text of texts) this.warn(text);
  }

  /** Prints the object of `--json`, on one line; does nothing without it. */
  json(value: object): void {
    if (!this.isJson) return;
    // Scrub each value: a secret that happens to be a key's name must not garble the object.
    const text = toJson(value, (item) => this.#scrubber.scrub(item));
    this.#clearTransient();
    this.#io.stdout.write(`${text}\n`);
  }

  /** Writes part of a file to stdout: unchanged, unless stdout is a terminal. */
  raw(text: string): void {
    this.#io.stdout.write(this.#io.stdout.isTTY === true ? printableLines(text) : text);
  }

  /** Width of the result's lines; Infinity where it is not a terminal. */
  get columns(): number {
    return columnsOf(this.#resultStream);
  }

  /** Width of lines on stderr. */
  get noteColumns(): number {
    return columnsOf(this.#io.stderr);
  }

  /** Shows a line that the next output replaces, the first of its forms that fits; only on a terminal. */
  showTransient(...forms: readonly [string, ...string[]]): void {
    if (!this.isTerminal) return;
    // A wrapped line cannot be erased.
    const width = columnsOf(this.#io.stderr) - 1;
    const lines = forms.map((text) => printableText(this.#scrubber.scrub(text)));
    const line = (lines.find(({ length }) => length <= width) ?? lines.at(-1) ?? "").slice(0, width);
    this.#io.stderr.write(`\r${escape}[2K${line}`);
    this.#transient = true;
  }

  /** Styles text of the result; returns it plain if the stream is not a terminal or color is disabled. */
  paint(style: Style, text: string): string {
    return this.#paint(style, text, this.#resultStream);
  }

  /** Styles text for stderr. */
  paintNote(style: Style, text: string): string {
    return this.#paint(style, text, this.#io.stderr);
  }

  get #resultStream(): OutputStream {
    return this.isJson ? this.#io.stderr : this.#io.stdout;
  }

  #paint(style: Style, text: string, stream: OutputStream): string {
    const { env } = this.#io;
    const wanted = stream.isTTY === true && env["TERM"] !== "dumb" && (env["NO_COLOR"] ?? "") === "";
    if (!wanted) return text;
    return styleText(style, printableLines(text), { validateStream: false }).replaceAll(escape, this.#ownEscape);
  }

  #write(stream: OutputStream, text: string): void {
    this.#clearTransient();
    const lines = printableLines(this.#scrubber.scrub(text)).replaceAll(this.#ownEscape, escape);
    stream.write(wrapLines(lines, columnsOf(stream)));
  }

  #clearTransient(): void {
    if (!this.#transient) return;
    this.#io.stderr.write(`\r${escape}[2K`);
    this.#transient = false;
  }
}
