import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { addressNames, findColumn, type Account, type SignalOptions } from "@vipscore/core";
import { IssueLog } from "@vipscore/core/errors";
import { readChunks, type PolicyFile } from "../files/policyFile.ts";
import { policyInvalid } from "../policyError.ts";
import { accountOrError } from "./convertValue.ts";

export interface CsvRow {
  /** The line on which the row ends, from 1. */
  readonly row: number;
  /** The wanted fields, in the order in which they were asked for. */
  readonly fields: readonly string[];
}

const longestRow = 65_536;

/**
 * Reads columns of a CSV file: UTF-8, commas, semicolons or tabs, a header that names the columns, quotes as in RFC 4180. Other
 * columns are skipped, blank lines too.
 *
 * @param columns - The names of each wanted column, as `findColumn` compares them.
 */
export async function* readCsv(
  file: PolicyFile,
  columns: readonly (string | readonly string[])[],
  options: SignalOptions = {},
): AsyncGenerator<CsvRow, void, undefined> {
  const pieces = decodeFile(file, options);
  const { named, delimiter, start } = await readStart(pieces, columns);
  const parser = parse({ delimiter, skip_empty_lines: true, max_record_size: longestRow, info: true });
  async function* content(): AsyncGenerator<string, void, undefined> {
    yield start;
    yield* pieces;
  }
  const records = Readable.from(content())
    .on("error", (error) => parser.destroy(error))
    .pipe(parser);
  let positions: readonly number[] | undefined;
  try {
    for await (const { record, info } of records as AsyncIterable<ParsedRecord>) {
      if (positions === undefined) positions = findColumns(file, columns, record);
      else {
        const row = info.lines + (named ? 1 : 0);
        // An unclosed quote would silently swallow the rows up to the next quote.
        const lines = record.filter((field) => field.includes("\n")).flatMap((field) => field.split("\n"));
        if (lines.some((line) => line.split(delimiter).length === record.length)) {
          throw policyInvalid(
            `${file.name}:${row}`,
            "has a quoted field over a line that may be a row; close its quote",
          );
        }
        yield { row, fields: positions.map((position) => record[position] ?? "") };
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw policyInvalid(file.name, "is not valid CSV", { details: error.message, cause: error });
  }
  if (positions === undefined) throw policyInvalid(file.name, "is empty; its first line names the columns");
}

interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Reads up to the end of the header, which shows the delimiter unless Excel's line `sep=;` names it. */
async function readStart(
  pieces: AsyncIterator<string>,
  columns: readonly (string | readonly string[])[],
): Promise<{ readonly named: boolean; readonly delimiter: string; readonly start: string }> {
  let start = "";
  while (start.length < longestRow && start.split("\n").length < 3) {
    const { value, done } = await pieces.next();
    if (done === true) break;
    start += value;
  }
  const [line = "", sep] = /^"?sep=([^"\w])"?\r?\n/i.exec(start) ?? [];
  const [header = ""] = start.slice(line.length).split("\n", 1);
  const shown = [",", ";", "\t"].find((one) => {
    const names = header.split(one);
    return columns.every((column) => typeof findColumn(names, column) === "number");
  });
  return { named: sep !== undefined, delimiter: sep ?? shown ?? ",", start: start.slice(line.length) };
}

function findColumns(
  file: PolicyFile,
  columns: readonly (string | readonly string[])[],
  header: readonly string[],
): readonly number[] {
  return columns.map((column) => {
    const position = findColumn(header, column);
    if (typeof position === "string") throw policyInvalid(file.name, `header cannot be used: ${position}`);
    return position;
  });
}

async function* decodeFile(file: PolicyFile, options: SignalOptions): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of readChunks(file, options)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? policyInvalid(file.name, "is not UTF-8 text", { cause: error }) : error;
  }
}

/** Reads the column with the accounts of a CSV file, in the file's order. */
export async function readAccounts(file: PolicyFile, options: SignalOptions = {}): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  const issues = new IssueLog(file.name);
  for await (const { row, fields } of readCsv(file, [addressNames], options)) {
    const account = accountOrError(fields[0] ?? "");
    if (typeof account === "string") accounts.push(account);
    else issues.add(row, "ADDRESS_INVALID", account.shortMessage);
  }
  issues.throwIfAny();
  return accounts;
}
