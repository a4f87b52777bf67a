import type { Readable } from "node:stream";
import type { Clock } from "./clock.ts";

/** An output of a command: stdout, stderr, or a test's buffer. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal. */
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

/** A connection to a hardware wallet. The transports of the `@ledgerhq/hw-transport-…` packages have this form. */
export interface DeviceTransport {
  /**
   * Sends one command and returns the answer with its status word, the last two bytes. Rejects with an error whose `statusCode`
   * is the status word unless that is 0x9000.
   */
  send(cla: number, ins: number, p1: number, p2: number, data?: Buffer): Promise<Uint8Array>;
  close(): Promise<void>;
}
