import { setImmediate } from "node:timers/promises";

/** Rows per statement: SQLite blocks the program for a few milliseconds while it runs. */
const rowsPerStatement = 250;

/** Yields the rows in lists for one statement each; other pending work runs between two lists. */
export async function* inChunks<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    if (start > 0) await setImmediate();
    yield rows.slice(start, start + rowsPerStatement);
  }
}
