import type { ProjectResult } from "./projects/runProject.ts";

const megabyte = 1_000_000;

/** Formats what the projects took as a table: seconds, and megabytes of 1,000,000 bytes. */
export function resultTable(results: readonly ProjectResult[]): string {
  const rows = [
    ["project", "install s", "use s", "requests", "MB down", "MB on disk", "packages"],
    ...results.map((each) => [
      each.name,
      each.installSeconds.toFixed(1),
      each.useSeconds.toFixed(1),
      String(each.requests),
      (each.bytes / megabyte).toFixed(1),
      (each.installedBytes / megabyte).toFixed(1),
      String(each.packages),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join("  ")).join("\n");
}
