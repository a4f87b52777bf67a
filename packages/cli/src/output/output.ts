import { styleText } from "node:util";
import type { Io, OutputStream } from "../io.ts";
import { toJson } from "./toJson.ts";
import type { Scrubber } from "./scrubber.ts";

/** Width of a terminal that does not tell its own. */
const defaultColumns = 120;

/** The styles in use; none carries meaning that the text does not. */
export type Style = "bold" | "dim" | "red" | "green" | "yellow";

/**
 * What a command tells. Without `--json`, results go to stdout and everything on the way to stderr. With `--json`, exactly
 * one object goes to stdout, of `watch` one for each round, and everything for people to stderr.
 */
export class Output {
  readonly isJson: boolean;
  /** True when progress may redraw a line on stderr. */
  readonly isTerminal: boolean;
  readonly #io: Io;
  readonly #scrubber: Scrubber;
  #transient = false;

  constructor(io: Io, options: { readonly json: boolean; readonly scrubber: Scrubber }) {
    this.#io = io;
    this.#scrubber = options.scrubber;
    this.isJson = options.json;
    this.isTerminal = io.stderr.isTTY === true && io.env["TERM"] !== "dumb";
  }

  /** One or more lines of the result, for people. */
  print(text: string): void {
    this.#write(this.#resultStream, `${text}\n`);
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

  /** Text as it is, a part of a file written to stdout. */
  raw(text: string): void {
    this.#io.stdout.write(text);
  }

  /** What another program wrote to its stderr, on ours. */
  relay(text: string): void {
    this.#write(this.#io.stderr, text);
  }

  /** Shows a line that the next output replaces; only on a terminal. */
  showTransient(text: string): void {
    if (!this.isTerminal) return;
    // Some terminals report no width, or 0.
    const columns = this.#io.stderr.columns || defaultColumns;
    // A line that wraps cannot be erased again.
    this.#io.stderr.write(`\r\u001b[2K${this.#scrubber.scrub(text).slice(0, columns - 1)}`);
    this.#transient = true;
  }

  /** The text in a style, for lines of the result; plain where the stream is no terminal or colour is unwanted. */
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
    return wanted ? styleText(style, text, { validateStream: false }) : text;
  }

  #write(stream: OutputStream, text: string): void {
    this.#clearTransient();
    stream.write(this.#scrubber.scrub(text));
  }

  #clearTransient(): void {
    if (!this.#transient) return;
    this.#io.stderr.write("\r\u001b[2K");
    this.#transient = false;
  }
}
