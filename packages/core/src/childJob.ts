import type { ChildProcess, Serializable } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { errorCodes, type ErrorCode } from "./errors/errorCodes.ts";
import { InputError, systemError, type InputIssue } from "./errors/inputError.ts";
import { VipError, type Hint } from "./errors/vipError.ts";
import type { SignalOptions } from "./readOptions.ts";

export interface JobOptions<Reply extends object> extends SignalOptions {
  /** Called with each reply before the result. What it throws ends the process and is thrown. */
  readonly onReply: (reply: Reply) => void | Promise<void>;
}

/** How a process ended. */
export interface JobEnd<Result> {
  /** Undefined if it ended before it sent one. */
  readonly result: Result | undefined;
  /** Its signal, or `status` and a number. */
  readonly by: string;
  /** The last of what it wrote to its standard error. */
  readonly lastWords: string;
}

/**
 * Returns the arguments with which Node runs the program of a process beside a module, from sources or built.
 *
 * @param url The module's `import.meta.url`.
 * @param name The program's file, without its ending.
 */
export function programBeside(url: string, name: string): readonly string[] {
  const extension = extname(url);
  const program = fileURLToPath(new URL(`${name}${extension}`, url));
  // Sources find the sources of other packages.
  return extension === ".ts" ? ["-C", "@vipscore/source", program] : [program];
}

/**
 * Gives a process one job and waits until it ends. Whatever the job holds, this process answers signals and keeps its memory.
 *
 * @param child A process with an IPC channel, which calls {@link takeJob}.
 * @throws The error that the process sent; what `onReply` throws; the signal's reason; Error of the system if it cannot start.
 */
export async function runChildJob<Reply extends object, Result>(
  child: ChildProcess,
  job: Serializable,
  { onReply, signal }: JobOptions<Reply>,
): Promise<JobEnd<Result>> {
  let lastWords = "";
  child.stderr?.on("data", (text: Buffer) => (lastWords = `${lastWords}${text.toString()}`.slice(-2_000)));
  let failure: { readonly error: unknown } | undefined;
  let result: Result | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    child.kill("SIGKILL");
  };
  const abort = (): void => fail(signal?.reason);
  signal?.addEventListener("abort", abort);
  const take = async (message: JobMessage<Reply, Result>): Promise<void> => {
    if (failure !== undefined) return;
    if ("error" in message) failure = { error: errorOfPlain(message.error) };
    else if ("result" in message) ({ result } = message);
    else await onReply(message.reply);
  };
  try {
    const end = new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status, killer) => resolve(killer ?? `status ${status}`));
    });
    child.on("message", (message: JobMessage<Reply, Result>) => void take(message).catch(fail));
    child.send(job, (error) => {
      if (error !== null) fail(error);
    });
    const by = await end;
    if (failure !== undefined) throw failure.error;
    return { result, by, lastWords: lastWords.trim() };
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

type JobMessage<Reply, Result> =
  { readonly reply: Reply } | { readonly result: Result } | { readonly error: PlainError | string };

/**
 * Takes the one job of this process, sends what `run` returns, or its error, and ends.
 *
 * @param run Called with the job, and with what sends a reply. That waits until the other process has it, so that replies do not
 * pile up here.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- messages have no type
export function takeJob<Job>(
  run: (job: Job, reply: (reply: object) => Promise<void>) => Promise<unknown>,
  end: () => void,
): void {
  const takeIt = async (job: Job): Promise<void> => {
    try {
      await send({ result: await run(job, (reply) => send({ reply })) });
    } catch (error) {
      await send({ error: plainError(error) });
    }
    end();
  };
  process.once("message", (job: Job) => void takeIt(job));
}

function send(message: JobMessage<object, unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** An error of vipscore as data, which another process can send. */
export interface PlainError {
  readonly code: ErrorCode;
  readonly shortMessage: string;
  readonly advice: readonly (string | Hint)[];
  readonly details?: string | undefined;
  readonly issues?: readonly InputIssue[] | undefined;
}

/** Turns an error into data; an error that is not of vipscore is a bug, whose stack is returned. */
export function plainError(thrown: unknown): PlainError | string {
  const error = VipError.isVipError(thrown) ? thrown : (systemError(thrown) ?? thrown);
  if (!VipError.isVipError(error)) return error instanceof Error ? `${error.stack}` : String(error);
  const { code, shortMessage, advice, details } = error;
  return { code, shortMessage, advice, details, issues: error instanceof InputError ? error.issues : undefined };
}

/** Returns the error that {@link plainError} turned into data. */
function errorOfPlain(plain: PlainError | string): Error {
  if (typeof plain === "string") return new Error(plain);
  const { code, shortMessage, advice: metaMessages, details, issues } = plain;
  const options = { code, metaMessages, ...(details === undefined ? {} : { details }) };
  if (errorCodes[code].category !== "input") return new VipError(shortMessage, options);
  return new InputError(shortMessage, { ...options, ...(issues === undefined ? {} : { issues }) });
}
