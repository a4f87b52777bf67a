import type { TomlTable } from "../../files/tomlTable.ts";
import { policyInvalid } from "../../policyError.ts";
import { eventColumns } from "../eventColumns.ts";
import type { SourceColumn } from "../policySource.ts";
import { readColumns } from "../readColumns.ts";
import { readStartHeight } from "../startHeight.ts";

/** The fields of an event as a source selects them. */
export interface EventFields {
  /** The fields that become columns, under their own names. */
  readonly fields: readonly SourceColumn[];
  /** The text that a field must be for its event to count, sorted by name. */
  readonly where: readonly (readonly [field: string, text: string])[];
  /** The first height, if the source begins before the window. */
  readonly startHeight: number | undefined;
  /** The columns of every event, then `fields`. */
  readonly columns: readonly SourceColumn[];
}

/** Reads `columns`, `where` and `start_height`, all optional. @throws InputError `POLICY_INVALID`. */
export function readEventFields(table: TomlTable): EventFields {
  const columnTable = table.optionalTable("columns");
  const fields = columnTable === undefined ? [] : readColumns(columnTable);
  for (const { name } of fields) {
    if (eventColumns.every((column) => column.name !== name)) continue;
    throw policyInvalid(`${table.place("columns")}.${name}`, "is a column that every source of events has");
  }
  const whereTable = table.optionalTable("where");
  const where = (whereTable?.names ?? []).map((name) => [name, whereTable?.text(name) ?? ""] as const);
  const startHeight = readStartHeight(table);
  return { fields, where: where.sort(byName), startHeight, columns: [...eventColumns, ...fields] };
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}
