import { quoteText } from "@vipscore/core/errors";
import type { TomlTable } from "../files/tomlTable.ts";
import { policyInvalid } from "../policyError.ts";
import { columnTypes, type SourceColumn } from "./policySource.ts";
import { readSqlName } from "./sqlName.ts";

/** Reads the columns of a source, each as `name = "type"`. @throws InputError `POLICY_INVALID`. */
export function readColumns(fields: TomlTable): readonly SourceColumn[] {
  return fields.names.map((name) => {
    const text = fields.text(name);
    const type = columnTypes.find((known) => known === text);
    if (type === undefined) {
      throw policyInvalid(fields.place(name), `is ${quoteText(text)}; known types are ${columnTypes.join(", ")}`);
    }
    return { name: readSqlName(name, fields.place(name)), type };
  });
}
