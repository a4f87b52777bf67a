import { join } from "node:path";
import type { SignalOptions } from "@vipscore/core";
import { writePartFile } from "../data/partFile.ts";
import { quoteName, type ColumnType, type PolicySource, type SourceRow } from "../sources/policySource.ts";
import { SourceDigest } from "../sources/sourceDigest.ts";
import { quoteString } from "./openTables.ts";
import type { QueryTable, RowOrder } from "./queryJob.ts";

/** A source as it was collected. */
export interface CollectedSource {
  readonly name: string;
  readonly kind: string;
  readonly rows: number;
  /** See `SourceDigest`. */
  readonly digest: string;
}

/** A source as it was collected, and its rows in files. */
export interface SourceFiles {
  readonly collected: CollectedSource;
  readonly columns: PolicySource["columns"];
  readonly files: readonly string[];
}

const sqlTypes: Readonly<Record<ColumnType, string>> = {
  address: "varchar",
  integer: "hugeint",
  text: "varchar",
  boolean: "boolean",
};

const orders: Readonly<Record<RowOrder, string>> = {
  stored: "",
  reversed: "order by file_index desc, file_row_number desc",
  shuffled: "order by hash(file_index, file_row_number)",
};

/** Rows of a file. */
const partRows = 200_000;

/** Writes the rows of a source into files of a folder. @throws Errors of the source. */
export async function collectSource(
  source: PolicySource,
  folder: string,
  options: SignalOptions,
): Promise<SourceFiles> {
  const { name, kind, columns } = source;
  const digest = new SourceDigest(columns);
  const files: string[] = [];
  let waiting: SourceRow[] = [];
  const write = async (): Promise<void> => {
    const file = join(folder, `${name}-${files.length}.parquet`);
    await writePartFile(file, columns, waiting);
    files.push(file);
    waiting = [];
  };
  for await (const rows of source.collect(options)) {
    options.signal?.throwIfAborted();
    digest.add(rows);
    for (const row of rows) waiting.push(row);
    if (waiting.length >= partRows) await write();
  }
  if (waiting.length > 0 || files.length === 0) await write();
  return { collected: { name, kind, rows: digest.rows, digest: digest.finish() }, columns, files };
}

/** Returns the table of a source with its rows in an order. */
export function tableOf({ collected: { name }, columns, files }: SourceFiles, order: RowOrder): QueryTable {
  const selected = columns.map(
    (column) => `${quoteName(column.name)}::${sqlTypes[column.type]} as ${quoteName(column.name)}`,
  );
  const paths = files.map((file) => quoteString(file.replaceAll(/[*?[]/g, "[$&]")));
  const from = `read_parquet([${paths.join(", ")}], union_by_name = true, hive_partitioning = false)`;
  return { name, files, select: `select ${selected.join(", ")} from ${from} ${orders[order]}` };
}
