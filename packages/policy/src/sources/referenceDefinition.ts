import { quoteText } from "@vipscore/core/errors";
import type { AddFile } from "../files/policyFile.ts";
import type { TomlTable } from "../files/tomlTable.ts";
import { policyInvalid } from "../policyError.ts";
import type { SourceColumn } from "./policySource.ts";
import { readColumns } from "./readColumns.ts";

/** A source of kind `reference`: a file in the policy's folder. */
export interface ReferenceDefinition {
  readonly kind: "reference";
  readonly name: string;
  /** The file's path inside the policy's folder. */
  readonly file: string;
  readonly format: "csv" | "parquet";
  /** The columns that the query sees, which the file has under the same names. */
  readonly columns: readonly SourceColumn[];
  /** SHA-256 of the file's bytes, in hex. */
  readonly sha256: string;
}

/** Reads the fields of a reference, and hashes its file. @throws InputError `POLICY_INVALID`, `FILE_UNREADABLE`. */
export async function readReferenceDefinition(
  name: string,
  table: TomlTable,
  addFile: AddFile,
): Promise<ReferenceDefinition> {
  const file = table.text("file");
  const format = /\.csv$/i.test(file) ? "csv" : /\.parquet$/i.test(file) ? "parquet" : undefined;
  if (format === undefined) {
    throw policyInvalid(table.place("file"), `is ${quoteText(file)}; give a .csv or a .parquet file`);
  }
  const columns = readColumns(table.table("columns"));
  if (columns.length === 0) throw policyInvalid(table.place("columns"), "is empty; name the file's columns");
  const { sha256 } = await addFile(file, table.place("file"));
  return { kind: "reference", name, file, format, columns, sha256 };
}
