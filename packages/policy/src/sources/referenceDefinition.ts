import { matching, object, type Field } from "@vipscore/core/field";
import type { AddFile } from "../files/policyFile.ts";
import type { SourceColumn } from "./policySource.ts";
import { columns, sourceFields } from "./sourceFields.ts";

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

const readFields = object({
  ...sourceFields,
  file: matching(/\.(?:csv|parquet)$/i, "a .csv or a .parquet file"),
  columns: (field) => {
    const named = columns(field);
    return named.length > 0 ? named : field.wrong("is empty; name the file's columns");
  },
});

/** Reads the fields of a reference, and hashes its file. @throws InputError `POLICY_INVALID`, `FILE_UNREADABLE`. */
export async function readReferenceDefinition(source: Field, addFile: AddFile): Promise<ReferenceDefinition> {
  const { name, file, columns: named } = readFields(source);
  const { sha256 } = await addFile(file, source.at("file").place);
  const format = /\.csv$/i.test(file) ? "csv" : "parquet";
  return { kind: "reference", name, file, format, columns: named, sha256 };
}
