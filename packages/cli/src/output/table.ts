import type { Output, Style } from "./output.ts";
import { printableText } from "./printable.ts";

interface TableLayout {
  /** A letter for each column: `l` to the left (default) or `r` to the right. */
  readonly align?: string;
  readonly indent?: string;
  /** Text between two cells. Default: two spaces. */
  readonly gap?: string;
  /** Minimum width of each column. Receives the widths in use, so that a later page of the same table keeps them. */
  readonly widths?: number[];
  /** Columns of the terminal: those of the table that do not fit are left out, the last first. Default: all are shown. */
  readonly columns?: number;
}

/** Returns lines of aligned cells, without spaces at their ends. A row may have fewer cells than others. */
export function formatTable(
  rows: readonly (readonly string[])[],
  { align = "", indent = "", gap = "  ", widths = [], columns = Infinity }: TableLayout = {},
): readonly string[] {
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  let fitting = widths.length;
  const widthOf = (shown: number): number =>
    widths.slice(0, shown).reduce((sum, width) => sum + width, indent.length + gap.length * (shown - 1));
  while (fitting > 1 && widthOf(fitting) > columns) fitting -= 1;
  const pad = (cell: string, column: number): string =>
    align[column] === "r" ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => `${indent}${row.slice(0, fitting).map(pad).join(gap)}`.trimEnd());
}

export type Pair = readonly [label: string, value: string];

/** Returns rows of labels and values, with as many to a line as fit, so that no value leaves its label. */
export function formatPairs(rows: readonly (readonly Pair[])[], columns: number): readonly string[] {
  for (let most = Math.max(...rows.map((row) => row.length)); ; most = Math.ceil(most / 2)) {
    const cells = rows.flatMap((row) =>
      Array.from({ length: Math.ceil(row.length / most) }, (_, line) =>
        row
          .slice(line * most, (line + 1) * most)
          .flatMap(([label, value], place) => [place === 0 ? label : `   ${label}`, value]),
      ),
    );
    const lines = formatTable(cells, { align: "lr".repeat(most), indent: "  " });
    if (most === 1 || lines.every(({ length }) => length <= columns)) return lines;
  }
}

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

export type RowsFormat = "table" | "csv";

/**
 * Returns a function that formats the rows of a listing page by page, so that it can have any length. The first page begins
 * with the titles. In a table, a later page may widen a column; CSV is as in RFC 4180, with line feeds.
 *
 * @param columns In the order of their importance: a table leaves out the last ones that do not fit the terminal.
 */
export function pageFormatter<Row>(
  format: RowsFormat,
  columns: readonly Column<Row>[],
  terminalColumns: number,
): (page: readonly Row[]) => string {
  const align = columns.map(({ isNumber = false }) => (isNumber ? "r" : "l")).join("");
  const widths: number[] = [];
  let titles = [columns.map(({ title }) => title)];
  return (page) => {
    const rows = [...titles, ...page.map((row) => columns.map(({ value }) => value(row)))];
    titles = [];
    const lines =
      format === "csv"
        ? rows.map((row) => row.map(csvField).join(","))
        : formatTable(
            rows.map((row) => row.map(printableText)),
            { align, widths, columns: terminalColumns },
          );
    return lines.map((line) => `${line}\n`).join("");
  };
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * State of a check: `ok`; `action`, something has to be done before the next stage ends; `warning`, something to know;
 * `skipped`, not checked.
 */
export type FindingState = "ok" | "action" | "warning" | "skipped";

const marks: Readonly<Record<FindingState | "forbidden" | "question", readonly [mark: string, style: Style]>> = {
  ok: ["✓", "green"],
  action: ["✗", "red"],
  forbidden: ["✗", "red"],
  question: ["?", "yellow"],
  warning: ["!", "yellow"],
  skipped: ["-", "dim"],
};

/** Findings as a checklist: a line each, with what to do about it below. */
export function findingLines(
  output: Output,
  findings: readonly {
    readonly check: string;
    readonly state: keyof typeof marks;
    readonly text: string;
    readonly fix: readonly string[];
  }[],
): readonly string[] {
  const width = Math.max(...findings.map(({ check }) => check.length)) + 2;
  return findings.flatMap(({ check, state, text, fix }) => {
    const [mark, style] = marks[state];
    const indent = " ".repeat(width + 2);
    return [`${output.paint(style, mark)} ${check.padEnd(width)}${text}`, ...fix.map((line) => `${indent}→ ${line}`)];
  });
}
