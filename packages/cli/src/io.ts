import { createInterface } from "node:readline";
import { Writable, type Readable } from "node:stream";
import { VipError } from "@vipscore/core";
import { pause } from "@vipscore/core/engine";
import type { DeviceTransport } from "@vipscore/ledger";
import { printableText } from "./output/printable.ts";

/** An output of a command: stdout, stderr, or a test's buffer. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** The input for a user's answers: stdin, or a test's stream. */
export type InputStream = Readable & { readonly isTTY?: boolean | undefined };

/** Everything of its process that a command uses, so that tests can run commands in their own process. */
export interface Io {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder that relative paths and `.vipscore` belong to. */
  readonly cwd: string;
  /** Aborted with a VipError when the command must end: `INTERRUPTED` on a signal from the user or the system. */
  readonly signal: AbortSignal;
  /** Times the rounds of `watch`. Default: this machine's clock. */
  readonly clock?: Clock;
  /** Connects to a hardware wallet. Default: the first one on USB. */
  readonly openDevice?: () => Promise<DeviceTransport>;
}

/** Returns whether stdin and stderr are terminals, so that a person can see and answer a question. */
export function canAsk(io: Io): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** Asks on the terminal, on stderr. Returns the typed line; undefined when the input ends. @throws `INTERRUPTED` on Ctrl-C. */
export function ask(
  io: Io,
  question: string,
  options: { readonly hidden?: boolean } = {},
): Promise<string | undefined> {
  io.signal.throwIfAborted();
  const shown = printableText(question);
  const isHidden = options.hidden === true;
  // Readline echoes what is typed to its output, so a hidden answer needs an output that discards everything.
  const echo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isHidden) io.stderr.write(chunk.toString());
      done();
    },
  });
  if (isHidden) io.stderr.write(shown);
  const lines = createInterface({ input: io.stdin, output: echo, prompt: shown, terminal: true });
  lines.prompt();
  return new Promise((resolve, reject) => {
    const end = (answer: string | undefined, settle: () => void): void => {
      io.signal.removeEventListener("abort", abort);
      lines.removeAllListeners();
      lines.close();
      // Readline ends a line that was typed and shown.
      if (isHidden || answer === undefined) io.stderr.write("\n");
      settle();
    };
    const stop = (reason: unknown): void => end(undefined, () => reject(reason));
    const abort = (): void => stop(io.signal.reason);
    io.signal.addEventListener("abort", abort, { once: true });
    lines.once("line", (line) => end(line, () => resolve(line)));
    lines.once("close", () => end(undefined, () => resolve(undefined)));
    // In raw mode the terminal sends Ctrl-C as a key, not as a signal.
    lines.once("SIGINT", () => stop(new VipError("interrupted", { code: "INTERRUPTED" })));
  });
}

/** The clock of a command that repeats its work; tests replace it to skip intervals. */
export interface Clock {
  /** Milliseconds since a fixed moment; never decreases. */
  now(): number;
  /** Waits for this many milliseconds; rejects with the signal's reason when aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = { now: () => performance.now(), pause };
