import { resolve } from "node:path";
import { readScores, type ScoreTable } from "@vipscore/core";
import type { Context } from "./context.ts";
import { group } from "./output/numbers.ts";
import type { Vm } from "@vipscore/core";
import { rollups } from "./rollup/rollups.ts";

/** The options that say how a score file is read. */
export interface TableFlags {
  readonly format?: "csv" | "json" | "jsonl";
  readonly scale?: number;
  readonly floor?: boolean;
}

/** From here on a JavaScript number cannot hold every integer. */
const firstUnsafe = 2n ** 53n;

/**
 * Reads a score file.
 *
 * @throws InputError `INPUT_INVALID` with every rejected row; `FILE_UNREADABLE`.
 */
export async function readTable({ io, output }: Context, vm: Vm, file: string, flags: TableFlags): Promise<ScoreTable> {
  // Messages name the file as it was given; only a test's folder is not the process's own.
  const path = io.cwd === process.cwd() ? file : resolve(io.cwd, file);
  const { format, scale, floor } = flags;
  const table = await readScores(path, {
    accountBytes: rollups[vm].accountBytes,
    signal: io.signal,
    ...(format === undefined ? {} : { format }),
    ...(scale === undefined ? {} : { scale }),
    ...(floor === undefined ? {} : { floor }),
  });
  if (table.total >= firstUnsafe) {
    output.warn(
      `the total ${group(table.total)} is not below 2^53: clients of the VIP API read scores as JavaScript numbers, which round there`,
    );
  }
  return table;
}
