import { randomUUID } from "node:crypto";
import { styleText } from "node:util";
import type { Io, OutputStream } from "../io.ts";
import { printableLines, printableText } from "./printableText.ts";
import type { Scrubber } from "./scrubber.ts";
import { toJson } from "./toJson.ts";

/** Width of a terminal that does not tell its own. */
const defaultColumns = 120;

const escape = "\u001b";

/** The styles in use; none carries meaning that the text does not. */
export type Style = "bold" | "dim" | "red" | "green" | "yellow";

/**
 * What a command tells. Without `--json`, results go to stdout and everything on the way to stderr. With `--json`, exactly
 * one object goes to stdout, of `watch` one for each round, and everything for people to stderr.
 *
 * All text passes through here, wherever it is from: secrets are taken out, and what would steer a terminal or a CI system is
 * made harmless.
 */
export class Output {
  readonly isJson: boolean;
  /** True when progress may redraw a line on stderr. */
  readonly isTerminal: boolean;
  readonly #io: Io;
  readonly #scrubber: Scrubber;
  /** Stands for the escape character of this program's own styles, which nobody else's text can contain. */
  readonly #ownEscape = `\uFDD0${randomUUID()}\uFDD0`;
  #transient = false;

  constructor(io: Io, options: { readonly json: boolean; readonly scrubber: Scrubber }) {
    this.#io = io;
    this.#scrubber = options.scrubber;
    this.isJson = options.json;
    this.isTerminal = io.stderr.isTTY === true && io.env["TERM"] !== "dumb";
  }

  /** One or more lines of the result, for people. */
  print(text: string): void {
    this.printLines(`${text}\n`);
  }

  /** The same of text that ends with a line feed. */
  printLines(text: string): void {
    this.#write(this.#resultStream, text);
  }

  /** A line about what happens on the way, for people. */
  note(text: string): void {
    this.#write(this.#io.stderr, `${text}\n`);
  }

  /** Something that people should not miss. */
  warn(text: string): void {
    this.note(`${this.#paint("yellow", "warning", this.#io.stderr)}  ${text}`);
  }

  /** An object of `--json`, on one line; does nothing without it. */
  json(value: object): void {
    if (!this.isJson) return;
    // Cleaned text by text: a secret that happens to be a key's name must not garble the object.
    const text = toJson(value, (item) => this.#scrubber.scrub(item));
    this.#clearTransient();
    this.#io.stdout.write(`${text}\n`);
  }

  /** A part of a file written to stdout: text as it is, unless a terminal shows it. */
  raw(text: string): void {
    this.#io.stdout.write(this.#io.stdout.isTTY === true ? printableLines(text) : text);
  }

  /** Shows a line that the next output replaces; only on a terminal. */
  showTransient(text: string): void {
    if (!this.isTerminal) return;
    // Some terminals report no width, or 0.
    const columns = this.#io.stderr.columns || defaultColumns;
    // A line that wraps cannot be erased again.
    const line = printableText(this.#scrubber.scrub(text)).slice(0, columns - 1);
    this.#io.stderr.write(`\r${escape}[2K${line}`);
    this.#transient = true;
  }

  /** The text in a style, for lines of the result; plain where the stream is no terminal or color is unwanted. */
  paint(style: Style, text: string): string {
    return this.#paint(style, text, this.#resultStream);
  }

  /** The text in a style, for lines on stderr. */
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
    stream.write(printableLines(this.#scrubber.scrub(text)).replaceAll(this.#ownEscape, escape));
  }

  #clearTransient(): void {
    if (!this.#transient) return;
    this.#io.stderr.write(`\r${escape}[2K`);
    this.#transient = false;
  }
}
