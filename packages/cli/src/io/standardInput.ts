import { addAbortSignal } from "node:stream";
import { InputError, systemErrorCode } from "@vipscore/core";
import type { Io } from "./io.ts";

/**
 * Reads standard input to its end in chunks of bytes.
 *
 * @throws InputError `FILE_UNREADABLE`; the signal's reason when aborted, also while it waits for input.
 */
export async function* standardInput({ stdin, signal }: Io): AsyncGenerator<Uint8Array, void, undefined> {
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
