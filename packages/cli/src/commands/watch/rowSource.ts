import { InputError, readScores, readScoresFrom, type ScoreTable, type Vm } from "@vipscore/core";
import type { Context } from "../../context.ts";
import { pathOf, scoreOptions, warnOfRounding, type TableFlags } from "../../contract/readTable.ts";
import { systemClock } from "../../io/clock.ts";
import { secretVariables } from "../../key/secrets.ts";
import { commandName, commandOutput } from "./commandOutput.ts";

/** The origin of a watch's rows. */
export type RowOrigin =
  | { readonly kind: "file"; readonly file: string }
  | {
      readonly kind: "command";
      /** The program and its arguments. */
      readonly command: readonly string[];
    };

/** Returns the whole table on each read. */
export interface RowSource {
  /** Name for messages. */
  readonly name: string;
  /** @throws InputError `INPUT_INVALID`, `FILE_UNREADABLE` */
  read(): Promise<ScoreTable>;
}

/** Time limit of a command in intervals; at least {@link minBoundMs}. */
const boundIntervals = 10;
const minBoundMs = 600_000;

/**
 * Returns the origin that the arguments name: one file, or a command after a lone `--`.
 *
 * @throws InputError `INPUT_INVALID` for neither or both.
 */
export function findRowOrigin({ operands }: Context, words: readonly string[]): RowOrigin {
  const [file, ...more] = words.slice(0, words.length - operands.length);
  if (file !== undefined && more.length === 0 && operands.length === 0) return { kind: "file", file };
  if (file === undefined && operands.length > 0) return { kind: "command", command: operands };
  throw new InputError("watch takes one score file, or a command after --", {
    metaMessages: ["vipscore watch scores.csv --stage 12", "vipscore watch --stage 12 -- ./score.sh --season 3"],
  });
}

/** Opens a source of rows. */
export function openRowSource(
  { io, output }: Context,
  vm: Vm,
  origin: RowOrigin,
  flags: TableFlags & { readonly interval: number },
): RowSource {
  const options = scoreOptions(io, vm, flags);
  let hasWarned = false;
  const warnOnce = (table: ScoreTable): ScoreTable => {
    hasWarned ||= warnOfRounding(output, table);
    return table;
  };
  if (origin.kind === "file") {
    const { file } = origin;
    return { name: file, read: async () => warnOnce(await readScores(pathOf(io, file), options)) };
  }
  const { command } = origin;
  // The name has no extension, so the output itself determines the format.
  const name = `${commandName(command)} (stdout)`;
  const read = async (): Promise<ScoreTable> => {
    const chunks = commandOutput(command, {
      cwd: io.cwd,
      env: commandEnvironment(io.env),
      signal: io.signal,
      clock: io.clock ?? systemClock,
      boundMs: Math.max(boundIntervals * flags.interval, minBoundMs),
      onErrorLine: (line) => output.note(line),
    });
    return warnOnce(await readScoresFrom(chunks, name, options));
  };
  return { name, read };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment without the keys and passwords that vipscore reads from it. */
function commandEnvironment(env: Environment): Environment {
  const secrets: readonly string[] = secretVariables;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.includes(name)));
}
