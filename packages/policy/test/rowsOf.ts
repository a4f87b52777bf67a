import { readRows } from "../src/data/readRows.ts";
import type { RowOrder } from "../src/data/sourceSql.ts";
import type { SourceData, SourceRow } from "../src/index.ts";

/** All rows of a collected source. */
export async function rowsOf(source: SourceData, order?: RowOrder): Promise<readonly SourceRow[]> {
  const rows: SourceRow[] = [];
  for await (const batch of readRows(source, order === undefined ? {} : { order })) rows.push(...batch);
  return rows;
}
