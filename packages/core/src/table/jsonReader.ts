import { quoteText } from "../errors/quoteText.ts";
import type { IssueLog } from "./issueLog.ts";
import { parseJson, readJsonRow } from "./jsonRow.ts";
import type { JsonElement } from "./jsonSplitter.ts";
import { longestRow, type Line } from "./lineSplitter.ts";
import type { RowReader } from "./rowReader.ts";

const tooLong = `is longer than ${longestRow.toLocaleString("en-US")} characters`;

/** Reads one line of JSON Lines. Lines are independent: an invalid line does not affect the others. */
export function readJsonLine({ number, text }: Line, rows: RowReader): void {
  if (text === undefined) return rows.reject(number, tooLong);
  if (text.trim() === "") return;
  const parsed = parseJson(text);
  if (parsed === undefined) return rows.reject(number, `${quoteText(text)} is not valid JSON`);
  readJsonRow(parsed.value, text, number, rows);
}

/**
 * Reads one element of a JSON array.
 *
 * @throws InputError with a `FILE_MALFORMED` issue: after a syntax error, the start of the next element is unknown.
 */
export function readJsonElement({ number, place, text }: JsonElement, rows: RowReader, issues: IssueLog): void {
  if (text === undefined) return rows.reject(number, tooLong);
  const parsed = parseJson(text);
  if (parsed === undefined) {
    const message = text === "" ? `has nothing at ${place}` : `${quoteText(text)} at ${place} is not valid JSON`;
    return issues.refuse("FILE_MALFORMED", message, number);
  }
  readJsonRow(parsed.value, text, number, rows);
}
