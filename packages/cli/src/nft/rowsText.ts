import { printableText } from "../output/printableText.ts";

/** A column of a listing. */
export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

/** The format of a listing. */
export type RowsFormat = "table" | "csv";

/** Formats rows page by page, so that a listing of any length can be written. */
export interface RowsText<Row> {
  /** Returns the text of a page; of the first one with the titles. */
  page(rows: readonly Row[]): string;
}

/** Returns a formatter of rows. */
export function rowsText<Row>(format: RowsFormat, columns: readonly Column<Row>[]): RowsText<Row> {
  return format === "csv" ? new CsvText(columns) : new TableText(columns);
}

/** CSV as in RFC 4180, with line feeds. */
class CsvText<Row> implements RowsText<Row> {
  readonly #columns: readonly Column<Row>[];
  #isBegun = false;

  constructor(columns: readonly Column<Row>[]) {
    this.#columns = columns;
  }

  page(rows: readonly Row[]): string {
    let text = this.#isBegun ? "" : `${this.#columns.map(({ title }) => title).join(",")}\n`;
    this.#isBegun = true;
    for (const row of rows) text += `${this.#columns.map(({ value }) => csvField(value(row))).join(",")}\n`;
    return text;
  }
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Aligned columns. A column is as wide as its widest value so far, so later pages may widen it. */
class TableText<Row> implements RowsText<Row> {
  readonly #columns: readonly (Column<Row> & { width: number })[];
  #isBegun = false;

  constructor(columns: readonly Column<Row>[]) {
    this.#columns = columns.map(({ title, value, isNumber = false }) => ({
      title,
      value,
      isNumber,
      width: title.length,
    }));
  }

  page(rows: readonly Row[]): string {
    const lines = rows.map((row) => this.#columns.map(({ value }) => printableText(value(row))));
    if (!this.#isBegun) lines.unshift(this.#columns.map(({ title }) => title));
    this.#isBegun = true;
    for (const [index, column] of this.#columns.entries()) {
      for (const line of lines) column.width = Math.max(column.width, line[index]?.length ?? 0);
    }
    return lines.map((line) => `${this.#align(line)}\n`).join("");
  }

  #align(line: readonly string[]): string {
    const cells = this.#columns.map(({ isNumber, width }, index) => {
      const cell = line[index] ?? "";
      return isNumber ? cell.padStart(width) : cell.padEnd(width);
    });
    return cells.join("  ").trimEnd();
  }
}
