import type { IssueLog } from "./issueLog.ts";
import { longestRow } from "./lineSplitter.ts";

const newline = "\n".charCodeAt(0);
const quote = '"'.charCodeAt(0);
const backslash = "\\".charCodeAt(0);
const comma = ",".charCodeAt(0);
const whiteSpace = new Set([" ", "\t", "\n", "\r"].map((character) => character.charCodeAt(0)));
const openers = new Set(["[", "{"].map((bracket) => bracket.charCodeAt(0)));
const closers = new Set(["]", "}"].map((bracket) => bracket.charCodeAt(0)));

/** One element of the JSON array. */
export interface JsonElement {
  /** From 1. */
  readonly number: number;
  /** Start, as `line 3, column 5`. */
  readonly place: string;
  /** Its text; undefined if it is longer than {@link longestRow}. */
  readonly text: string | undefined;
}

/**
 * Splits the text of a JSON array, which arrives in chunks, into the texts of its elements. Tracks strings and
 * the depth of brackets; the parser of an element checks whether the element is valid.
 */
export class JsonSplitter {
  readonly #issues: IssueLog;
  /** 0 outside the array, 1 between its elements' outermost brackets, more inside them. */
  #depth = 0;
  #state: "before" | "inside" | "after" = "before";
  #isInString = false;
  #isEscaped = false;
  #rest = "";
  #isTooLong = false;
  #number = 0;
  #line = 1;
  /** Characters before the current chunk, counted from the start of the current line; negative inside a chunk. */
  #lineOffset = 0;
  #place: string | undefined;

  constructor(issues: IssueLog) {
    this.#issues = issues;
  }

  /** True once the array is closed. */
  get isWhole(): boolean {
    return this.#state === "after";
  }

  /** Returns the elements that end in this chunk. @throws InputError with a `FILE_MALFORMED` issue. */
  *split(chunk: string): Generator<JsonElement, void, undefined> {
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const code = chunk.charCodeAt(index);
      if (this.#isInString) {
        this.#followString(code);
      } else if (whiteSpace.has(code)) {
        if (code === newline) this.#startLine(index);
      } else if (this.#state !== "inside") {
        this.#enter(chunk, index);
        start = index + 1;
      } else if (this.#depth === 1 && (code === comma || closers.has(code))) {
        const isLast = code !== comma;
        const element = this.#take(chunk.slice(start, index), isLast);
        if (element !== undefined) yield element;
        start = index + 1;
        if (isLast) this.#leave(chunk, index);
      } else {
        if (this.#place === undefined) {
          // White space before an element is not part of it and may have any length.
          this.#place = this.#placeOf(index);
          start = index;
        }
        this.#follow(code);
      }
    }
    if (this.#state === "inside") this.#append(chunk.slice(start));
    this.#lineOffset += chunk.length;
  }

  /** Ends the text. @throws InputError with a `FILE_MALFORMED` issue if the array is not closed. */
  finish(): void {
    if (this.#state !== "inside") return;
    const message = `ends before its array does, after ${this.#number} whole elements; it may have been cut off`;
    this.#issues.refuse("FILE_MALFORMED", message);
  }

  #followString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === backslash) this.#isEscaped = true;
    else if (code === quote) this.#isInString = false;
  }

  #follow(code: number): void {
    if (code === quote) this.#isInString = true;
    else if (openers.has(code)) this.#depth += 1;
    else if (closers.has(code)) this.#depth -= 1;
  }

  #enter(chunk: string, index: number): void {
    const found = chunk.charAt(index);
    if (this.#state === "before" && found === "[") {
      this.#state = "inside";
      this.#depth = 1;
      return;
    }
    const place = this.#placeOf(index);
    const hint = "use --format jsonl for one value on each line";
    const message =
      this.#state === "before"
        ? `is not a JSON array: it starts at ${place} otherwise`
        : `continues after its array, at ${place}`;
    this.#issues.refuse("FILE_MALFORMED", `${message}; ${hint}`);
  }

  #leave(chunk: string, index: number): void {
    if (chunk.charAt(index) !== "]") {
      this.#issues.refuse("FILE_MALFORMED", `has "}" instead of "]" at ${this.#placeOf(index)}`);
    }
    this.#state = "after";
    this.#depth = 0;
  }

  #take(text: string, isLast: boolean): JsonElement | undefined {
    this.#append(text);
    const place = this.#place ?? `line ${this.#line}`;
    const isEmptyArray = isLast && this.#number === 0 && this.#place === undefined;
    const element = {
      number: this.#number + 1,
      place,
      text: this.#isTooLong ? undefined : this.#rest,
    };
    this.#rest = "";
    this.#isTooLong = false;
    this.#place = undefined;
    if (isEmptyArray) return undefined;
    this.#number += 1;
    return element;
  }

  #append(text: string): void {
    if (this.#place === undefined || this.#isTooLong) return;
    this.#rest += text;
    if (this.#rest.length <= longestRow) return;
    this.#isTooLong = true;
    this.#rest = "";
  }

  #startLine(index: number): void {
    this.#line += 1;
    this.#lineOffset = -index - 1;
  }

  #placeOf(index: number): string {
    return `line ${this.#line}, column ${this.#lineOffset + index + 1}`;
  }
}
