import type { SourceRow } from "../src/index.ts";

/** Yields rows in batches. */
// eslint-disable-next-line typescript/require-await
export async function* batchesOf(
  rows: readonly SourceRow[],
  size = rows.length,
): AsyncGenerator<readonly SourceRow[], void, undefined> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}
