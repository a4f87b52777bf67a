import { close, constants, fstat, open, read } from "node:fs";
import { stat } from "node:fs/promises";
import { Socket } from "node:net";
import { addAbortSignal } from "node:stream";
import { isatty, ReadStream as TerminalStream } from "node:tty";
import { promisify } from "node:util";
import { InputError } from "./errors/inputError.ts";
import type { SignalOptions } from "./readOptions.ts";

const chunkBytes = 262_144;

/**
 * Reads a file that another program may write, in chunks of bytes. The file is whole only if the iteration ends normally: what
 * was changed or replaced meanwhile is refused after its last chunk. Never blocks: it waits for a pipe's writer, and an abort
 * ends the wait.
 *
 * @param name The file as given, for messages.
 * @param options `mayBePipe` also takes a pipe or a terminal, which may never end. Default: regular files only.
 * @throws InputError `FILE_CHANGED`, `FILE_UNREADABLE` for another kind of file; Error of the system, with a `code` such as
 * `ENOENT`; an error when aborted.
 */
export async function* readInputFile(
  path: string,
  name: string,
  { signal, mayBePipe = false }: SignalOptions & { readonly mayBePipe?: boolean } = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  // Opening a pipe waits for its writer in a thread that not even the end of the process interrupts. Windows does not have this flag.
  const descriptor = await promisify(open)(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  let stream: Socket | undefined;
  try {
    const before = await promisify(fstat)(descriptor, { bigint: true });
    const isTerminal = isatty(descriptor);
    if (!(before.isFile() || before.isDirectory() || (mayBePipe && (before.isFIFO() || isTerminal)))) {
      throw new InputError(`${name} is not a regular file`, { code: "FILE_UNREADABLE" });
    }
    if (before.isFIFO()) stream = new Socket({ fd: descriptor, readable: true, writable: false });
    else if (isTerminal) stream = new TerminalStream(descriptor);
    if (stream === undefined) yield* readToEnd(descriptor, signal);
    else yield* (signal === undefined ? stream : addAbortSignal(signal, stream)) as AsyncIterable<Uint8Array>;
    if (!before.isFile()) return;
    const after = await promisify(fstat)(descriptor, { bigint: true });
    // The name may belong to another file by now.
    const named = await stat(path, { bigint: true }).catch(() => undefined);
    const isSame = ({ dev, ino, size, mtimeNs }: typeof before): boolean =>
      dev === before.dev && ino === before.ino && size === before.size && mtimeNs === before.mtimeNs;
    if (named === undefined || !isSame(after) || !isSame(named)) throw fileChanged(name);
  } finally {
    // A stream closes what it reads.
    if (stream === undefined) close(descriptor);
  }
}

async function* readToEnd(
  descriptor: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead, buffer } = await promisify(read)(
      descriptor,
      Buffer.allocUnsafe(chunkBytes),
      0,
      chunkBytes,
      null,
    );
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Creates the error `FILE_CHANGED`. */
export function fileChanged(name: string): InputError {
  return new InputError(`${name} changed while it was read`, {
    code: "FILE_CHANGED",
    metaMessages: ["Run again once it is complete. A program that writes it should write another file and rename it."],
  });
}
