import { resolve } from "node:path";
import { readScores, type ReadScoresOptions, type ScoreTable, type Vm } from "@vipscore/core";
import type { Context } from "./context.ts";
import type { Io } from "./io.ts";
import { group } from "./output/numbers.ts";
import type { Output } from "./output/output.ts";
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
 * Reads a score file, and warns of a total that clients round.
 *
 * @throws InputError `INPUT_INVALID` with every rejected row; `FILE_UNREADABLE`.
 */
export async function readTable({ io, output }: Context, vm: Vm, file: string, flags: TableFlags): Promise<ScoreTable> {
  const table = await readScores(pathOf(io, file), scoreOptions(io, vm, flags));
  warnOfRounding(output, table);
  return table;
}

/** The path to read a file by. Messages name the file as it was given; only a test's folder is not the process's own. */
export function pathOf({ cwd }: Io, file: string): string {
  return cwd === process.cwd() ? file : resolve(cwd, file);
}

/** How the flags say that scores are read. */
export function scoreOptions(io: Io, vm: Vm, { format, scale, floor }: TableFlags): ReadScoresOptions {
  return {
    accountBytes: rollups[vm].accountBytes,
    signal: io.signal,
    ...(format === undefined ? {} : { format }),
    ...(scale === undefined ? {} : { scale }),
    ...(floor === undefined ? {} : { floor }),
  };
}

/** True if clients of the VIP API may round the table's scores, of which it warns. */
export function warnOfRounding(output: Output, table: ScoreTable): boolean {
  if (table.total < firstUnsafe) return false;
  output.warn(
    `the total ${group(table.total)} is 2^53 or more: clients of the VIP API read scores as JavaScript numbers, which round from there on`,
  );
  return true;
}
