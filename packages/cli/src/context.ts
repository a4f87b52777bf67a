import type { Io } from "./io.ts";
import { Output } from "./output/output.ts";
import type { Scrubber } from "./output/scrubber.ts";

export interface Context {
  readonly io: Io;
  readonly signal: AbortSignal;
  readonly output: Output;
  readonly scrubber: Scrubber;
  /** The arguments after a lone `--`; empty without one. */
  readonly operands: readonly string[];
  /** Registers what to close when the command ends, however it ends. */
  readonly atEnd: (close: () => Promise<void>) => void;
  /** Sets the exit status of a command that does not fail. Default: 0. */
  readonly endWith: (status: number) => void;
  /** Sets whether an interruption from now on can say that nothing was sent. Default: false. */
  readonly unsent: (isUnsent: boolean) => void;
}

/** The context of a command that prints its results alone. */
export function withoutNotes(context: Context): Context {
  const { io, output, scrubber } = context;
  const silent = { ...io, stderr: { write: () => undefined } };
  return { ...context, output: new Output(silent, { json: output.isJson, scrubber }) };
}
