import { CsvReader } from "./csvReader.ts";
import type { IssueLog } from "./issueLog.ts";
import { readJsonElement, readJsonLine } from "./jsonReader.ts";
import { JsonSplitter } from "./jsonSplitter.ts";
import { LineSplitter } from "./lineSplitter.ts";
import type { RowReader } from "./rowReader.ts";
import type { ScoreFormat } from "./scoreFormat.ts";

/** Reads the text of a file chunk by chunk and passes on its rows. */
export interface TextReader {
  read(chunk: string): void;
  finish(): void;
  /** True if the text says that it is a table, even without rows: a header or an array. */
  isTable(): boolean;
}

/** Returns the reader for a format. */
export function createTextReader(format: ScoreFormat, rows: RowReader, issues: IssueLog): TextReader {
  if (format === "csv") return createCsvReader(rows, issues);
  return format === "json" ? createJsonReader(rows, issues) : createJsonLinesReader(rows);
}

function createCsvReader(rows: RowReader, issues: IssueLog): TextReader {
  const lines = new LineSplitter();
  const records = new CsvReader(rows, issues);
  return {
    read(chunk) {
      for (const line of lines.split(chunk)) records.read(line);
    },
    finish() {
      for (const line of lines.finish()) records.read(line);
    },
    isTable: () => records.hasHeader,
  };
}

function createJsonReader(rows: RowReader, issues: IssueLog): TextReader {
  const elements = new JsonSplitter(issues);
  return {
    read(chunk) {
      for (const element of elements.split(chunk)) readJsonElement(element, rows, issues);
    },
    finish() {
      elements.finish();
    },
    isTable: () => elements.isWhole,
  };
}

function createJsonLinesReader(rows: RowReader): TextReader {
  const lines = new LineSplitter();
  return {
    read(chunk) {
      for (const line of lines.split(chunk)) readJsonLine(line, rows);
    },
    finish() {
      for (const line of lines.finish()) readJsonLine(line, rows);
    },
    isTable: () => false,
  };
}
