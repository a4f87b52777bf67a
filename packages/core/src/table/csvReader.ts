import { parse } from "csv-parse/sync";
import { quoteText, type IssueLog } from "../errors/inputError.ts";
import type { Hint } from "../errors/vipError.ts";
import {
  isFieldName,
  longestRow,
  type FieldPositions,
  type Line,
  type RowReader,
  type WrongNumber,
} from "./rowReader.ts";

/** The layout of the file, known from its first record. */
interface Layout extends FieldPositions {
  readonly delimiter: string;
  readonly columns: number;
  readonly hasHeader: boolean;
}

/**
 * Reads delimited text line by line. The first line that is not blank determines the delimiter, and is a header if it
 * names a field. A file without a header has two columns, the address and the score. Excel's line `sep=;` before it names
 * the delimiter.
 *
 * A quoted field may continue on the next lines, as in RFC 4180. But an unclosed quote must not silently swallow the rows up to
 * the next quote: a field does not continue over a line that is a row by itself.
 */
export class CsvReader {
  readonly #issues: IssueLog;
  readonly #rows: RowReader;
  #layout: Layout | undefined;
  /** The delimiter that a line `sep=` names. */
  #named: string | undefined;
  /** The lines of a record whose last quote is open. */
  #open: { readonly number: number; readonly text: string }[] = [];
  #openText = "";

  constructor(rows: RowReader, issues: IssueLog) {
    this.#rows = rows;
    this.#issues = issues;
  }

  get hasHeader(): boolean {
    return this.#layout?.hasHeader === true;
  }

  read({ number, text }: Line): void {
    const [first] = this.#open;
    if (text === undefined) {
      this.finish();
      this.#rows.reject(
        number,
        `is longer than ${longestRow.toLocaleString("en-US")} characters; end each row with LF or CR LF`,
      );
    } else if (first !== undefined) {
      const record = `${this.#openText}\n${text}`;
      const isPart = record.length <= longestRow && !this.#isRow(text);
      if (!isPart) {
        this.#giveUp();
        this.read({ number, text });
      } else {
        this.#open.push({ number, text });
        this.#openText = record;
        if (!isOpen(text)) return;
        if (this.#readRecord(first.number, record)) this.#open = [];
        else this.#giveUp();
      }
    } else if (this.#layout !== undefined && isOpen(text)) {
      this.#open = [{ number, text }];
      this.#openText = text;
    } else if (text.trim() !== "" && !this.#readRecord(number, text)) this.#rejectQuotes(number);
  }

  /** Ends the text: a quote that is open now is never closed. */
  finish(): void {
    while (this.#open.length > 0) this.#giveUp();
  }

  /** Rejects the line whose quote is open, and reads those after it by themselves. */
  #giveUp(): void {
    const [first, ...more] = this.#open;
    this.#open = [];
    if (first !== undefined) this.#rejectQuotes(first.number);
    for (const line of more) this.read(line);
  }

  /** True for a line that is a row by itself, but perhaps for its own quotes. */
  #isRow(text: string): boolean {
    const { delimiter = ",", address = 0, columns } = this.#layout ?? {};
    const fields = (isOpen(text) ? undefined : splitRecord(text, delimiter)) ?? text.split(delimiter);
    return fields.length === columns && this.#rows.isAccount(fields[address] ?? "");
  }

  #rejectQuotes(row: number): void {
    this.#rows.reject(
      row,
      'has a quote that is not closed before the next row or not at the edge of a field; write a quote in a field as ""',
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
      const found = fields.length === 1 ? "1 column" : `${fields.length} columns`;
      const { message, hint } = this.#describeSplit(fields, layout);
      this.#rows.reject(row, `has ${found} where ${expected}${message}`, hint);
    }
    return true;
  }

  #readFirst(row: number, record: string): boolean {
    this.#named ??= /^"?sep=([^"\w])"?$/i.exec(record)?.[1];
    if (this.#named !== undefined && /^"?sep=/i.test(record)) return true;
    const delimiter = this.#named ?? this.#chooseDelimiter(row, record);
    const fields = splitRecord(record, delimiter);
    if (fields === undefined) return false;
    const hasHeader = this.#rows.hasNames || fields.some(isFieldName) || this.#looksLikeNames(fields);
    if (!hasHeader && fields.length !== 2) {
      const found = `${fields.length} columns and no header that names them`;
      const { message, hint } = this.#describeSplit(fields, { delimiter, columns: 2, score: 1 });
      this.#issues.fail("FILE_MALFORMED", `has ${found}; give a header with address and score${message}`, row, hint);
    }
    const positions = hasHeader ? this.#rows.findFields(fields) : { address: 0, score: 1, scoreName: "score" };
    if (typeof positions === "string") {
      const hint: Hint = { code: "name-columns", text: "name its columns" };
      this.#issues.fail("FILE_MALFORMED", `header cannot be used: ${positions}; ${hint.text}`, row, hint);
    }
    this.#layout = { ...positions, delimiter, columns: fields.length, hasHeader };
    return hasHeader || this.#readRecord(row, record);
  }

  #chooseDelimiter(row: number, record: string): string {
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

  /** Says how to write a score such as `1,234`, whose comma makes another column; nothing if there are too many for another reason. */
  #describeSplit(
    fields: readonly string[],
    { delimiter, columns, score }: Pick<Layout, "delimiter" | "columns" | "score">,
  ): WrongNumber {
    if (delimiter !== "," || fields.length <= columns) return { message: "" };
    const text = fields.slice(score, score + 1 + fields.length - columns).join(delimiter);
    const problem = this.#rows.describeMarks(text);
    return {
      ...problem,
      message: problem === undefined ? "" : `; if ${quoteText(text)} is one score, it ${problem.message}`,
    };
  }

  #isLikely(fields: readonly string[]): boolean {
    return (
      typeof this.#rows.findFields(fields) !== "string" ||
      (fields.length === 2 && this.#rows.isAccount(fields[0] ?? ""))
    );
  }
}

const delimiters = [",", ";", "\t"];

/** True if the last quote of a line is open, as far as the line alone shows. */
function isOpen(line: string): boolean {
  return line.includes('"') && line.split('"').length % 2 === 0;
}

/** Returns the fields of one record, or undefined if its quotes are misplaced. */
function splitRecord(record: string, delimiter: string): readonly string[] | undefined {
  // A parser per record takes over a hundred times as long as a split, and both agree on text without quotes.
  return record.includes('"') ? parseQuoted(record, delimiter) : record.split(delimiter);
}

/** Returns the delimiters outside quotes. */
function findDelimiters(record: string): readonly string[] {
  // If quotes are paired, every second part between them is inside.
  const outside = record.split('"').filter((_, part) => part % 2 === 0);
  return delimiters.filter((delimiter) => outside.some((text) => text.includes(delimiter)));
}

function parseQuoted(record: string, delimiter: string): readonly string[] | undefined {
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
