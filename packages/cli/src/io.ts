import type { Readable } from "node:stream";
import type { Clock } from "./clock.ts";

/** Where a command writes: stdout, stderr, or a test's buffer. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Where a command reads a person's answers: stdin, or a test's stream. */
export type InputStream = Readable & { readonly isTTY?: boolean | undefined };

/** Everything of its process that a command may touch, so that a test can run one in its own process. */
export interface Io {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder that relative paths and `.vipscore` belong to. */
  readonly cwd: string;
  /** Aborted with a VipError when the command has to end: `INTERRUPTED` when the person or the system wants it to. */
  readonly signal: AbortSignal;
  /** Times the rounds of `watch`; default: the time of this machine. */
  readonly clock?: Clock;
}
