import { sql, type SelectQueryBuilder, type SqlBool } from "kysely";
import type { PageRequest } from "./store.ts";

/** Columns with the values of a row, in the order of a listing; those that are undefined are not compared. */
type RowValues = readonly (readonly [column: string, value: unknown])[];

/** Returns a page of a query, in the order of columns. */
export function pageOf<DB, TB extends keyof DB, Row, After>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: readonly string[],
  { place, limit, reverse }: PageRequest<After>,
  valuesOf: (after: After) => RowValues,
): SelectQueryBuilder<DB, TB, Row> {
  const page = inOrder(query.limit(limit), order, reverse);
  return "offset" in place ? page.offset(place.offset) : page.where(isAfter(valuesOf(place.after), reverse));
}

export function inOrder<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: readonly string[],
  reverse: boolean,
): SelectQueryBuilder<DB, TB, Row> {
  let ordered = query;
  for (const column of order) ordered = ordered.orderBy(sql.ref(column), reverse ? "desc" : "asc");
  return ordered;
}

/** True for the rows after one in the order of its columns, or in its reverse. */
export function isAfter(values: RowValues, reverse: boolean) {
  const compared = values.filter(([, value]) => value !== undefined);
  const columns = sql.join(compared.map(([column]) => sql.ref(column)));
  const row = sql.join(compared.map(([, value]) => value));
  return sql<SqlBool>`(${columns}) ${sql.raw(reverse ? "<" : ">")} (${row})`;
}
