import { setImmediate } from "node:timers/promises";

/** How many rows one statement takes: SQLite runs it while nothing else of the program does, some milliseconds long. */
const rowsPerStatement = 250;

/** The rows in lists that one statement takes each; between two of them whatever else is due goes first. */
export async function* inChunks<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    if (start > 0) await setImmediate();
    yield rows.slice(start, start + rowsPerStatement);
  }
}
