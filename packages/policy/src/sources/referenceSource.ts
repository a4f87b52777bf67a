import type { SignalOptions } from "@vipscore/core";
import { IssueLog, quoteText } from "@vipscore/core/errors";
import { matching, object, optional, withSchema, type Field } from "@vipscore/core/field";
import { writeSource } from "../data/writeSource.ts";
import { findPolicyFile, type AddFile } from "../files/policyFile.ts";
import { convertValue, storedSpelling, ValueProblem } from "./convertValue.ts";
import type { PolicySource, SourceColumn, SourceRow, SourceValue } from "./policySource.ts";
import { readCsv } from "./readCsv.ts";
import type { SourceOrigin } from "./sourceDefinition.ts";
import { sourceColumns, sourceFields } from "./sourceFields.ts";

/** A source of kind `reference`: a CSV file in the policy's folder. */
interface ReferenceDefinition {
  readonly kind: "reference";
  readonly name: string;
  /** The file's path inside the policy's folder. */
  readonly file: string;
  /** The columns that the query sees, which the file has under the same names. */
  readonly columns: readonly SourceColumn[];
  /** SHA-256 of the file's bytes, in hex. */
  readonly sha256: string;
}

const readFields = object({
  ...sourceFields,
  file: matching(/\.csv$/i, "a .csv file"),
  /** Where the file is published; `score check` wants both. */
  url: optional(matching(/^https:\/\/\S+$/, "an https URL")),
  sha256: optional(matching(/^[0-9a-f]{64}$/, "64 lower-case hex digits")),
  columns: withSchema({ ...sourceColumns.schema, minProperties: 1 }, (field) => {
    const named = sourceColumns(field);
    return named.length > 0 ? named : field.fail("is empty; name the file's columns");
  }),
});

export async function readReferenceDefinition(source: Field, addFile: AddFile): Promise<ReferenceDefinition> {
  const { name, file, columns, sha256: published } = readFields(source);
  const { sha256 } = await addFile(file, source.at("file").place);
  if (published !== undefined && published !== sha256) source.at("sha256").fail(`is not that of ${file}, ${sha256}`);
  return { kind: "reference", name, file, columns, sha256 };
}
readReferenceDefinition.schema = readFields.schema;

const batchRows = 2048;

/**
 * Opens a source of kind `reference`: the rows of a CSV file, in the file's order.
 *
 * `collect` throws InputError `POLICY_INVALID` for a file that cannot be used; `FILE_CHANGED` for one that has changed since
 * `readPolicy`; `INPUT_INVALID` with every row that has a value of the wrong type; `FILE_UNREADABLE`.
 */
export function referenceSource(
  definition: ReferenceDefinition,
  { folder }: Pick<SourceOrigin, "folder">,
): PolicySource {
  const { name, kind, columns } = definition;
  return {
    name,
    kind,
    columns,
    collect: (options) => writeSource(definition, readReferenceRows(folder, definition, options), options),
  };
}

async function* readReferenceRows(
  folder: string,
  { name, columns, sha256, file: path }: ReferenceDefinition,
  options: SignalOptions,
): AsyncGenerator<readonly SourceRow[], void, undefined> {
  const file = { ...(await findPolicyFile(folder, path, `${name}: file`)), sha256 };
  const issues = new IssueLog(file.name);
  const convert = (fields: readonly string[], row: number): SourceRow => {
    const converted: SourceValue[] = [];
    for (const [index, column] of columns.entries()) {
      const field = fields[index] ?? "";
      // As in files of scores; the spaces of a text may matter.
      const value = convertValue(column.type === "text" ? field : field.trim(), column);
      if (value instanceof ValueProblem) {
        issues.add(row, "ROW_MALFORMED", value.message);
        continue;
      }
      const spelling = column.type === "text" ? storedSpelling(field) : undefined;
      if (spelling !== undefined && spelling !== value) {
        const problem = `${column.name} ${quoteText(field)} is an account, which sources have as ${spelling}`;
        issues.add(row, "ADDRESS_INVALID", `${problem}; declare the column as address`);
      }
      converted.push(value);
    }
    return converted;
  };
  const names = columns.map((column) => column.name);
  let batch: SourceRow[] = [];
  for await (const { row, fields } of readCsv(file, names, options)) {
    batch.push(convert(fields, row));
    if (batch.length < batchRows) continue;
    if (issues.isEmpty) yield batch;
    batch = [];
  }
  if (batch.length > 0 && issues.isEmpty) yield batch;
  issues.throwIfAny();
}
