import { optional, text, type Field } from "@vipscore/core/field";
import type { SourceColumn } from "../policySource.ts";
import { blockHeight, eventColumns, sourceColumns } from "../sourceFields.ts";

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

/** Readers of the fields by which a policy selects events. */
export const eventReaders = {
  columns: optional(readOwnColumns),
  where: optional(readWhere),
  start_height: optional(blockHeight),
};

/** Returns the fields of an event from what {@link eventReaders} read. */
export function eventFields({
  columns: fields = [],
  where = [],
  start_height: startHeight,
}: { readonly [Name in keyof typeof eventReaders]: ReturnType<(typeof eventReaders)[Name]> }): EventFields {
  return { fields, where, startHeight, columns: [...eventColumns, ...fields] };
}

function readOwnColumns(field: Field): readonly SourceColumn[] {
  for (const { name } of eventColumns) {
    if (field.names.includes(name)) field.at(name).fail("is a column that every source of events has");
  }
  return sourceColumns(field);
}

function readWhere(field: Field): EventFields["where"] {
  return [...field.names].sort().map((name) => [name, text(field.at(name))]);
}
