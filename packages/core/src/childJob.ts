import type { ChildProcess, Serializable } from "node:child_process";
import { errorCodes, type ErrorCode } from "./errors/errorCodes.ts";
import { InputError, systemError, type InputIssue } from "./errors/inputError.ts";
import { VipError, type Hint } from "./errors/vipError.ts";
import type { SignalOptions } from "./readOptions.ts";

export interface JobOptions<Reply extends object> extends SignalOptions {
  /** Called with each reply. What it throws ends the process and is thrown. */
  readonly onReply: (reply: Reply) => void | Promise<void>;
}

/** How a process ended. */
export interface JobEnd {
  /** Its signal, or `status` and a number. */
  readonly by: string;
  /** The last of what it wrote to its standard error. */
  readonly lastWords: string;
}

/**
 * Gives a process one job and waits until it ends. Whatever the job holds, this process answers signals and keeps its memory.
 *
 * @param child A process with an IPC channel, which sends replies with {@link sendReply}.
 * @throws The error that the process sent; what `onReply` throws; the signal's reason; Error of the system if it cannot start.
 */
export async function runChildJob<Reply extends object>(
  child: ChildProcess,
  job: Serializable,
  { onReply, signal }: JobOptions<Reply>,
): Promise<JobEnd> {
  let lastWords = "";
  child.stderr?.on("data", (text: Buffer) => (lastWords = `${lastWords}${text.toString()}`.slice(-2_000)));
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    child.kill("SIGKILL");
  };
  const abort = (): void => fail(signal?.reason);
  signal?.addEventListener("abort", abort);
  const take = async (reply: Reply | { readonly error: PlainError | string }): Promise<void> => {
    if (failure !== undefined) return;
    if ("error" in reply) failure = { error: errorOfPlain(reply.error) };
    else await onReply(reply);
  };
  try {
    const end = new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status, killer) => resolve(killer ?? `status ${status}`));
    });
    child.on("message", (reply: Reply) => void take(reply).catch(fail));
    child.send(job, (error) => {
      if (error !== null) fail(error);
    });
    const by = await end;
    if (failure !== undefined) throw failure.error;
    return { by, lastWords: lastWords.trim() };
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/**
 * Sends a reply, or `{ error }` with a {@link plainError}, from the process of a job. Waits until the other process has it, so that
 * replies do not pile up here.
 */
export function sendReply(reply: object): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(reply, undefined, undefined, (error) => (error === null ? resolve() : reject(error)));
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
