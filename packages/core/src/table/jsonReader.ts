import { quoteText, type IssueLog } from "../errors/inputError.ts";
import { findRepeatedKey, JsonScanner, tryParseJson, type JsonPart } from "../jsonScanner.ts";
import { longestRow, type Line, type RowReader } from "./rowReader.ts";

const tooLong = `is longer than ${longestRow.toLocaleString("en-US")} characters`;

/** Reads one line of JSON Lines. Lines are independent: an invalid line does not affect the others. */
export function readJsonLine({ number, text }: Line, rows: RowReader): void {
  if (text === undefined) return rows.reject(number, tooLong);
  if (text.trim() === "") return;
  const value = tryParseJson(text, keepNumberText);
  if (value === undefined) return rows.reject(number, `${quoteText(text)} is not valid JSON`);
  readJsonRow(value, text, number, rows);
}

/** @throws InputError with a `FILE_MALFORMED` issue: after a syntax error, the start of the next element is unknown. */
export function readJsonElement({ number, place, text }: JsonElement, rows: RowReader, issues: IssueLog): void {
  if (text === undefined) return rows.reject(number, tooLong);
  const value = tryParseJson(text, keepNumberText);
  if (value === undefined) {
    const message = text === "" ? `has nothing at ${place}` : `${quoteText(text)} at ${place} is not valid JSON`;
    return issues.fail("FILE_MALFORMED", message, number);
  }
  readJsonRow(value, text, number, rows);
}

/** Reads one row, `{ "address": …, "score": … }` or `[address, score]`, parsed from `text`. */
function readJsonRow(value: unknown, text: string, row: number, rows: RowReader): void {
  if (Array.isArray(value)) {
    const fields: readonly unknown[] = value;
    if (fields.length === 2) return rows.read(row, quoteJson(fields[0]), quoteJson(fields[1]), "score");
    return rows.reject(row, `has ${fields.length} values where an address and a score are expected`);
  }
  if (typeof value !== "object" || value === null) {
    return rows.reject(row, `${quoteText(quoteJson(value))} is neither an object nor a pair of address and score`);
  }
  const names = Object.keys(value);
  // The parser keeps the last of two equal keys; which one is meant is unknown.
  if (findRepeatedKey(text) !== undefined) return rows.reject(row, `${quoteText(text)} gives a key twice`);
  const found = rows.findFields(names);
  const fields: readonly unknown[] = Object.values(value);
  if (typeof found === "string") {
    if (!names.some((name) => rows.isAccount(name))) return rows.reject(row, `cannot be used: ${found}`);
    for (const [index, name] of names.entries()) rows.read(row, name, quoteJson(fields[index]), "amount");
    return;
  }
  rows.read(row, quoteJson(fields[found.address]), quoteJson(fields[found.score]), found.scoreName);
}

/** Reads a whole text that is one object, whose keys are the accounts and whose values their amounts. */
export function readJsonMap(text: string, rows: RowReader, issues: IssueLog): void {
  const value = tryParseJson(text, keepNumberText);
  if (typeof value !== "object" || value === null) {
    const hint = { code: "use-jsonl", text: "use the format jsonl for one value on each line" } as const;
    issues.fail("FILE_MALFORMED", `is neither a JSON array nor one object; ${hint.text}`, undefined, hint);
  }
  const names = Object.keys(value);
  if (!names.some((name) => rows.isAccount(name))) {
    const found = names.length === 0 ? "nothing" : names.map(quoteText).join(", ").slice(0, 200);
    const wanted = "write the array of rows alone, or an object with an amount for each address";
    issues.fail("FILE_MALFORMED", `is an object with ${found}, where no address is a key; ${wanted}`);
  }
  const repeated = findRepeatedKey(text);
  if (repeated !== undefined) issues.fail("FILE_MALFORMED", `has the key ${quoteText(repeated)} twice`);
  let row = 0;
  for (const [name, amount] of Object.entries(value)) rows.read((row += 1), name, quoteJson(amount), "amount");
}

/**
 * Returns a number as its text, never as a double, which is exact only up to 2^53. `context.source` is that text (ECMAScript's
 * JSON.parse source text access; in Node since 21).
 */
function keepNumberText(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  // With three decimals, text could be of thousands, which JSON does not separate: a zero more says the same.
  return typeof value === "number" ? context?.source?.replace(/\.\d{3}$/, "$&0") : value;
}

function quoteJson(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch {
    // A RangeError for brackets nested too deep for `stringify`.
    return "…";
  }
}

interface JsonElement {
  /** From 1. */
  readonly number: number;
  /** Start, as `line 3, column 5`. */
  readonly place: string;
  /** Its text; undefined if it is longer than {@link longestRow}. */
  readonly text: string | undefined;
}

/**
 * Splits the text of a JSON array, which arrives in chunks, into the texts of its elements. The parser of an element
 * checks whether the element is valid.
 */
export class JsonSplitter {
  readonly #issues: IssueLog;
  readonly #scanner = new JsonScanner({ isSplit: () => this.#state === "before", longest: longestRow });
  #state: "before" | "inside" | "after" = "before";
  #number = 0;

  constructor(issues: IssueLog) {
    this.#issues = issues;
  }

  /** True while there was only white space. */
  get isBefore(): boolean {
    return this.#state === "before";
  }

  /** True once the array is closed. */
  get isWhole(): boolean {
    return this.#state === "after";
  }

  /** Returns the elements that end in this chunk. @throws InputError with a `FILE_MALFORMED` issue. */
  *split(chunk: string): Generator<JsonElement, void, undefined> {
    for (const part of this.#scanner.scan(chunk)) {
      if (part.kind === "element") yield { number: (this.#number += 1), place: placeOf(part), text: part.text };
      else this.#follow(part);
    }
    const { rest } = this.#scanner;
    if (rest?.kind === "outside") this.#follow(rest);
  }

  /** Ends the text. @throws InputError with a `FILE_MALFORMED` issue if the array is not closed. */
  finish(): void {
    if (this.#state !== "inside") return;
    const message = `ends before its array does, after ${this.#number} whole elements; it may have been cut off`;
    this.#issues.fail("FILE_MALFORMED", message);
  }

  #follow(part: JsonPart): void {
    if (part.kind === "open") this.#state = "inside";
    else if (part.kind === "outside") {
      const message =
        this.#state === "before"
          ? `is not a JSON array: it starts at ${placeOf(part)} otherwise`
          : `continues after its array, at ${placeOf(part)}`;
      const hint = { code: "use-jsonl", text: "use the format jsonl for one value on each line" } as const;
      this.#issues.fail("FILE_MALFORMED", `${message}; ${hint.text}`, undefined, hint);
    } else if (part.text === "]") this.#state = "after";
    else this.#issues.fail("FILE_MALFORMED", `has "${part.text}" instead of "]" at ${placeOf(part)}`);
  }
}

function placeOf({ line, column }: JsonPart): string {
  return `line ${line}, column ${column}`;
}
