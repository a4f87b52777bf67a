import { optional, text, withSchema, type Field } from "@vipscore/core/field";
import { maxMisfits, misfitFields } from "../eventRows.ts";
import type { SourceColumn } from "../policySource.ts";
import { blockHeight, eventColumns, nullableColumns, tableOf } from "../sourceFields.ts";

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
  /** How many events may not fit the columns; undefined if none may. */
  readonly maxMisfits?: number | undefined;
}

/** What to write for events without a value for a column. */
export const mayLack =
  'If it may lack that, end the type with ?, as in columns = { referrer = "address?" }; or select others by where = { action = "trade" }.';

/** Readers of the fields by which a policy selects events. */
export const eventReaders = {
  columns: optional(withSchema({ ...nullableColumns.schema }, readOwnColumns)),
  where: optional(withSchema(tableOf(text), readWhere)),
  start_height: optional(blockHeight),
  ...misfitFields,
};

export function eventFields(
  source: Field,
  {
    columns: fields = [],
    where = [],
    start_height: startHeight,
    ...rest
  }: { readonly [Name in keyof typeof eventReaders]: ReturnType<(typeof eventReaders)[Name]> },
): EventFields {
  return { fields, where, startHeight, columns: [...eventColumns, ...fields], maxMisfits: maxMisfits(source, rest) };
}

function readOwnColumns(field: Field): readonly SourceColumn[] {
  for (const { name } of eventColumns) {
    if (field.names.includes(name)) field.at(name).fail("is a column that every source of events has");
  }
  return nullableColumns(field);
}

function readWhere(field: Field): EventFields["where"] {
  return [...field.names].sort().map((name) => [name, text(field.at(name))]);
}
