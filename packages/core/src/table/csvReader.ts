import { parse } from "csv-parse/sync";
import { quoteText, type IssueLog } from "../errors/inputError.ts";
import { findFields, isFieldName, longestRow, type FieldPositions, type Line, type RowReader } from "./rowReader.ts";

/** The layout of the file, known from its first record. */
interface Layout extends FieldPositions {
  readonly delimiter: Delimiter;
  readonly columns: number;
  readonly hasHeader: boolean;
}

/**
 * Reads delimited text line by line. The first line that is not blank determines the delimiter, and is a header if it
 * names a field. A file without a header has two columns, the address and the score.
 *
 * A quoted field ends on its line. RFC 4180 lets it continue, but then an unclosed quote would silently swallow the rows
 * up to the next quote, and no address or score contains a line break.
 */
export class CsvReader {
  readonly #issues: IssueLog;
  readonly #rows: RowReader;
  #layout: Layout | undefined;

  constructor(rows: RowReader, issues: IssueLog) {
    this.#rows = rows;
    this.#issues = issues;
  }

  /** True once a header was read. */
  get hasHeader(): boolean {
    return this.#layout?.hasHeader === true;
  }

  read({ number, text }: Line): void {
    if (text === undefined) {
      this.#rows.reject(
        number,
        `is longer than ${longestRow.toLocaleString("en-US")} characters; end each row with LF or CR LF`,
      );
    } else if (text.trim() !== "" && !this.#readRecord(number, text)) this.#rejectQuotes(number);
  }

  #rejectQuotes(row: number): void {
    this.#rows.reject(
      row,
      'has a quote that is not closed on its line or not at the edge of a field; write a quote in a field as ""',
    );
  }

  /** Reads a record; false if its quotes are misplaced. */
  #readRecord(row: number, record: string): boolean {
    if (record.includes("\r") && !record.includes('"')) {
      this.#rows.reject(row, "has a carriage return inside; end lines with LF or CR LF");
      return true;
    }
    const layout = this.#layout;
    if (layout === undefined) return this.#readFirst(row, record);
    const fields = splitRecord(record, layout.delimiter);
    if (fields === undefined) return false;
    if (fields.length === layout.columns) {
      this.#rows.read(row, fields[layout.address] ?? "", fields[layout.score] ?? "", layout.scoreName);
    } else {
      const expected = layout.hasHeader ? `the header has ${layout.columns}` : "an address and a score are expected";
      this.#rows.reject(row, `has ${fields.length === 1 ? "1 column" : `${fields.length} columns`} where ${expected}`);
    }
    return true;
  }

  #readFirst(row: number, record: string): boolean {
    const delimiter = this.#chooseDelimiter(row, record);
    const fields = splitRecord(record, delimiter);
    if (fields === undefined) return false;
    const hasHeader = fields.some(isFieldName) || this.#looksLikeNames(fields);
    if (!hasHeader && fields.length !== 2) {
      const found = `${fields.length} columns and no header that names them`;
      this.#issues.fail("FILE_MALFORMED", `has ${found}; give a header with address and score`, row);
    }
    const positions = hasHeader ? findFields(fields) : { address: 0, score: 1, scoreName: "score" };
    if (typeof positions === "string") {
      this.#issues.fail("FILE_MALFORMED", `header cannot be used: ${positions}`, row);
    }
    this.#layout = { ...positions, delimiter, columns: fields.length, hasHeader };
    return hasHeader || this.#readRecord(row, record);
  }

  #chooseDelimiter(row: number, record: string): Delimiter {
    const found = findDelimiters(record);
    const [only] = found;
    if (only === undefined) {
      const message = `${quoteText(record)} has no columns; put a comma, semicolon or tab between address and score`;
      return this.#issues.fail("FILE_MALFORMED", message, row);
    }
    if (found.length === 1) return only;
    const likely = found.filter((delimiter) => this.#isLikely(splitRecord(record, delimiter) ?? []));
    const [best] = likely;
    if (best !== undefined && likely.length === 1) return best;
    const names = found.map((delimiter) => (delimiter === "\t" ? "a tab" : `"${delimiter}"`)).join(" and ");
    const message = `${quoteText(record)} has ${names}, and either may separate columns; name the columns address and score in a header`;
    return this.#issues.fail("FILE_MALFORMED", message, row);
  }

  /** A row has a digit in each field; a record without any digits is a header, even with unknown names. */
  #looksLikeNames(fields: readonly string[]): boolean {
    return !fields.some((field) => /\d/.test(field));
  }

  #isLikely(fields: readonly string[]): boolean {
    return typeof findFields(fields) !== "string" || (fields.length === 2 && this.#rows.isAccount(fields[0] ?? ""));
  }
}

/** Characters that may separate columns. */
const delimiters = [",", ";", "\t"] as const;
type Delimiter = (typeof delimiters)[number];

/** Returns the fields of one record, or undefined if its quotes are misplaced. */
function splitRecord(record: string, delimiter: Delimiter): readonly string[] | undefined {
  // A parser per record takes over a hundred times as long as a split, and both agree on text without quotes.
  return record.includes('"') ? parseQuoted(record, delimiter) : record.split(delimiter);
}

/** Returns the delimiters outside quotes. */
function findDelimiters(record: string): readonly Delimiter[] {
  // If quotes are paired, every second part between them is inside.
  const outside = record.split('"').filter((_, part) => part % 2 === 0);
  return delimiters.filter((delimiter) => outside.some((text) => text.includes(delimiter)));
}

function parseQuoted(record: string, delimiter: Delimiter): readonly string[] | undefined {
  try {
    const records: readonly string[][] = parse(record, {
      delimiter,
      record_delimiter: "\n",
      relax_column_count: true,
      trim: true,
    });
    return records.length === 1 ? records[0] : undefined;
  } catch {
    // The parser's own text counts lines from this record; the caller names the line of the file.
    return undefined;
  }
}
