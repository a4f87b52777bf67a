import { resolve } from "node:path";
import { addAbortSignal } from "node:stream";
import {
  burnWarning,
  InputError,
  readScores,
  readScoresFrom,
  systemErrorCode,
  type ColumnNames,
  type ReadScoresOptions,
  type ScoreTable,
  type Stage,
  type Vm,
} from "@vipscore/core";
import { StageManifest } from "@vipscore/core/manifest";
import { group } from "@vipscore/core/values";
import type { Context } from "../context.ts";
import type { Io } from "../io.ts";
import type { Output } from "../output/output.ts";
import { rollups } from "../rollup/rollups.ts";

export interface TableFlags {
  readonly format?: "csv" | "json" | "jsonl";
  readonly scale?: number;
  readonly floor?: boolean;
  readonly columns?: ColumnNames;
}

/** From here on, JavaScript numbers cannot represent every integer. */
export const firstUnsafe = 2n ** 53n;

/** A score file that reads standard input. */
const standardInputFile = "-";

export function tableName(file: string): string {
  return file === standardInputFile ? "standard input" : file;
}

/** Reads a score file, or standard input for `-`. `onUnended` is called with the warning of one that may be cut off. */
export async function readTable(
  { io, output }: Context,
  vm: Vm,
  file: string,
  flags: TableFlags,
  onUnended = (warning: string): void => output.warn(warning),
): Promise<ScoreTable> {
  const options = { ...scoreOptions(io, vm, flags), onUnended };
  const isFile = file !== standardInputFile;
  const table = isFile
    ? await readScores(pathOf(io, file), options)
    : await readScoresFrom(standardInput(io), tableName(file), options);
  warnOfRounding(output, table);
  const burned = burnWarning(table);
  if (burned !== undefined) output.warn(burned);
  return table;
}

/** Returns a function that reads a score file, and prints a warning only once, however often it is called. */
export function rowReader({ io, output }: Context, vm: Vm, file: string, flags: TableFlags): () => Promise<ScoreTable> {
  let unended = "";
  const options: ReadScoresOptions = {
    ...scoreOptions(io, vm, flags),
    onUnended: (warning) => {
      if (warning !== unended) output.warn(warning);
      unended = warning;
    },
  };
  let hasWarned = false;
  return async () => {
    const table = await readScores(pathOf(io, file), options);
    hasWarned ||= warnOfRounding(output, table);
    return table;
  };
}

/** Returns the path for reading a file: as given, for messages, unless a test's folder is not the process's own. */
export function pathOf({ cwd }: Io, file: string): string {
  return cwd === process.cwd() ? file : resolve(cwd, file);
}

/** Opens the manifest of `--manifest`; returns undefined without a file. `willRecord`: the command completes it. */
export async function openManifest(
  { io }: Context,
  file: string | undefined,
  stage: Stage,
  { willRecord }: { readonly willRecord: boolean },
): Promise<StageManifest | undefined> {
  if (file === undefined) return undefined;
  return StageManifest.open(pathOf(io, file), file, stage, { willRecord, signal: io.signal });
}

export function tableJson(name: string, table: ScoreTable) {
  return { name, rows: table.size, total: table.total, sha256: table.digest() };
}

function scoreOptions(io: Io, vm: Vm, { format, scale, floor, columns }: TableFlags): ReadScoresOptions {
  return {
    accountBytes: rollups[vm].accountBytes,
    signal: io.signal,
    ...(format === undefined ? {} : { format }),
    ...(scale === undefined ? {} : { scale }),
    ...(floor === undefined ? {} : { floor }),
    columns,
  };
}

/** Warns if clients of the VIP API may round scores of such a total. Returns whether it warned. */
export function warnOfRounding(output: Output, table: Pick<ScoreTable, "total">): boolean {
  if (table.total < firstUnsafe) return false;
  output.warn(
    `the total ${group(table.total)} is 2^53 or more: clients of the VIP API read scores as JavaScript numbers, which round from there on`,
  );
  return true;
}

async function* standardInput({ stdin, signal }: Io): AsyncGenerator<Uint8Array, void, undefined> {
  signal.throwIfAborted();
  try {
    yield* addAbortSignal(signal, stdin) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    signal.throwIfAborted();
    throw new InputError(`standard input cannot be read (${systemErrorCode(cause)})`, {
      code: "FILE_UNREADABLE",
      cause,
    });
  }
}
