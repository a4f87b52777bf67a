import { quoteText } from "../errors/quoteText.ts";
import { findFields } from "./fieldNames.ts";
import type { RowReader } from "./rowReader.ts";

/**
 * Parses a JSON text; returns undefined if it is invalid. Numbers are returned as their original text, never as doubles,
 * which are exact only up to 2^53.
 */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text, keepNumberText) as unknown };
  } catch {
    // A SyntaxError, or a RangeError for brackets nested too deep for the parser.
    return undefined;
  }
}

/** Reads one row, `{ "address": …, "score": … }` or `[address, score]`, parsed from `text`. */
export function readJsonRow(value: unknown, text: string, row: number, rows: RowReader): void {
  if (Array.isArray(value)) {
    const fields: readonly unknown[] = value;
    if (fields.length === 2) return rows.read(row, textOf(fields[0]), textOf(fields[1]), "score");
    return rows.reject(row, `has ${fields.length} values where an address and a score are expected`);
  }
  if (typeof value !== "object" || value === null) {
    return rows.reject(row, `${quoteText(textOf(value))} is neither an object nor a pair of address and score`);
  }
  const names = Object.keys(value);
  // The parser keeps the last of two equal keys; which one is meant is unknown.
  if (names.length !== countKeys(text)) return rows.reject(row, `${quoteText(text)} gives a key twice`);
  const found = findFields(names);
  if (typeof found === "string") return rows.reject(row, `cannot be used: ${found}`);
  const fields: readonly unknown[] = Object.values(value);
  rows.read(row, textOf(fields[found.address]), textOf(fields[found.score]), found.scoreName);
}

/** `context.source` is the number's text (ECMAScript's JSON.parse source text access; in Node since 21). */
function keepNumberText(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? context?.source : value;
}

/** Counts the keys in the text of an object, including repeated keys. The text is valid JSON. */
function countKeys(text: string): number {
  let count = 0;
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (token === ":" && depth === 1) count += 1;
  }
  return count;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch {
    // A RangeError for brackets nested too deep for `stringify`.
    return "…";
  }
}
