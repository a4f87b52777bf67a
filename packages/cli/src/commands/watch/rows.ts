import { spawn, type ChildProcess } from "node:child_process";
import { basename } from "node:path";
import { Readable } from "node:stream";
import {
  InputError,
  readScores,
  readScoresFrom,
  systemErrorCode,
  type ReadScoresOptions,
  type ScoreTable,
  type Stage,
  type Vm,
} from "@vipscore/core";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";
import { count } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { pathOf, scoreOptions, warnOfRounding, type TableFlags } from "../../contract/readTable.ts";
import { systemClock } from "../../io.ts";

/** The origin of a watch's rows: a file, or a program and its arguments. */
export type RowOrigin = { readonly file: string } | { readonly command: readonly string[] };

/** Returns the whole table on each read. */
export interface RowSource {
  readonly name: string;
  /** Its file; undefined for a program. */
  readonly file?: string;
  read(): Promise<ScoreTable>;
}

/** A command that the system does not start. */
export class CommandNotStarted extends InputError {}

/** Time limit of a command in intervals; at least {@link minBoundMs}. */
const boundIntervals = 10;
const minBoundMs = 600_000;

/** What stands for the stage in the arguments. */
export const stagePlace = "{stage}";

/** Returns the origin that the arguments name: one file, or a command after a lone `--`. */
export function findRowOrigin({ operands: given }: Context, words: readonly string[], stage: Stage): RowOrigin {
  const fill = (word: string): string => word.replaceAll(stagePlace, `${stage}`);
  const operands = given.map(fill);
  const [file, ...more] = words.slice(0, words.length - operands.length).map(fill);
  if (file !== undefined && more.length === 0 && operands.length === 0) return { file };
  if (file === undefined && operands.length > 0) return { command: operands };
  throw new InputError("watch takes one score file, or a command after --", {
    metaMessages: ["vipscore watch scores.csv --stage 12", "vipscore watch --stage 12 -- ./score.sh --season 3"],
  });
}

export function openRowSource(
  context: Context,
  vm: Vm,
  origin: RowOrigin,
  flags: TableFlags & { readonly interval: number },
): RowSource {
  const { io, output } = context;
  let unended = "";
  const options: ReadScoresOptions = {
    ...scoreOptions(io, vm, flags),
    onUnended: (warning) => {
      if (warning !== unended) output.warn(warning);
      unended = warning;
    },
  };
  let hasWarned = false;
  const warnOnce = (table: ScoreTable): ScoreTable => {
    hasWarned ||= warnOfRounding(output, table);
    return table;
  };
  if ("file" in origin) {
    const { file } = origin;
    return { name: file, file, read: async () => warnOnce(await readScores(pathOf(io, file), options)) };
  }
  const { command } = origin;
  // The name has no extension, so the output itself determines the format.
  const name = `${commandName(command)} (stdout)`;
  const boundMs = Math.max(boundIntervals * flags.interval, minBoundMs);
  return {
    name,
    read: async () => warnOnce(await readScoresFrom(commandOutput(context, command, boundMs), name, options)),
  };
}

/** Maximum number of bytes that a command may print, about four million rows. */
const maxOutputBytes = 256 * 2 ** 20;

/** Maximum number of buffered characters of an unfinished line of the command's stderr. */
const longestLine = 65_536;

/**
 * Runs a command without a shell and yields the bytes that it prints, at most {@link maxOutputBytes}. Use them only if the
 * iteration ends normally: then the command exited with status 0. If the iteration stops early, kills the command and all
 * processes in its group. Each line of its stderr is shown.
 *
 * @param boundMs Time limit in milliseconds, after which the command is killed.
 * @throws InputError `FILE_UNREADABLE` when the command cannot be started, fails or takes too long; `INPUT_INVALID` when it
 * prints too much; the signal's reason when aborted.
 */
async function* commandOutput(
  context: Context,
  command: readonly string[],
  boundMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { io, signal } = context;
  signal.throwIfAborted();
  const name = commandName(command);
  const { child, ended } = start(context, command);
  const { stdout, stderr } = child;
  let isOver = false;
  const over = ended.finally(() => (isOver = true));
  const kill = (): void => {
    // After the group has ended, its ID may belong to another one.
    if (!isOver) killGroup(child);
  };
  let failure: unknown;
  const stop = (reason: unknown): void => {
    failure ??= reason;
    kill();
    // A process that left the group may keep the other end open.
    stdout?.destroy();
    stderr?.destroy();
  };
  const onAbort = (): void => stop(signal.reason);
  const finished = new AbortController();
  signal.addEventListener("abort", onAbort);
  // A second Ctrl-C ends this process; only this handler can still clean up.
  process.on("exit", kill);
  (io.clock ?? systemClock).pause(boundMs, finished.signal).then(
    () => stop(unreadable(`${name} did not end within ${count(boundMs / 60_000, "minute")} and was killed`)),
    () => undefined,
  );
  try {
    // There are no streams if the system ran out of file handles.
    const chunks: AsyncIterable<Uint8Array> = stdout ?? Readable.from([]);
    let bytes = 0;
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > maxOutputBytes) throw new InputError(`${name} prints more than ${maxOutputBytes / 2 ** 20} MiB`);
        yield chunk;
      }
    } catch (error) {
      throw failure ?? error;
    }
    const fault = await over;
    if (failure !== undefined) throw failure;
    if (fault !== undefined) throw fault;
  } finally {
    finished.abort();
    stop(undefined);
    await over;
    process.off("exit", kill);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Returns the command's name for messages: only its program, because its arguments may contain secrets. */
function commandName([program = ""]: readonly string[]): string {
  return basename(program);
}

/** Starts a command. `ended` resolves once it has ended and its streams are closed: to its error, or undefined. */
function start(
  { io, output }: Context,
  command: readonly string[],
): { readonly child: ChildProcess; readonly ended: Promise<InputError | undefined> } {
  const name = commandName(command);
  const [program = "", ...args] = command;
  const notStarted = (cause: unknown): InputError =>
    new CommandNotStarted(`${program} cannot be started (${systemErrorCode(cause)})`, {
      code: "FILE_UNREADABLE",
      metaMessages: [
        systemErrorCode(cause) === "EACCES"
          ? `Make it executable: chmod +x ${program}`
          : "Put a program and its arguments after --; no shell is involved.",
      ],
      cause,
    });
  let child: ChildProcess;
  try {
    // Its own process group: Ctrl-C in the terminal reaches only vipscore, which then ends the group.
    child = spawn(program, args, {
      cwd: io.cwd,
      env: nodeEnvironment(io.env),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
  } catch (cause) {
    throw notStarted(cause);
  }
  const ended = new Promise<InputError | undefined>((resolve) => {
    child.once("error", (cause) => resolve(notStarted(cause)));
    child.once("close", (status: number | null, killedBy: NodeJS.Signals | null) => {
      if (status === 0) resolve(undefined);
      else
        resolve(
          unreadable(killedBy === null ? `${name} exited with status ${status}` : `${name} was killed by ${killedBy}`),
        );
    });
  });
  if (child.stderr !== null) forEachLine(child.stderr, (line) => output.note(line));
  return { child, ended };
}

/** Calls back with each line; splits lines that are too long to buffer. */
export function forEachLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
    if (rest.length <= longestLine) return;
    onLine(rest);
    rest = "";
  });
  stream.once("close", () => {
    if (rest !== "") onLine(rest);
  });
}

/** Kills a command and every process of its group. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All processes have already ended.
  }
}

function unreadable(message: string, ...metaMessages: readonly string[]): InputError {
  return new InputError(message, { code: "FILE_UNREADABLE", metaMessages });
}
