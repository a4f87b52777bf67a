import { close, constants, createReadStream, fstat, open, type Stats } from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import { isatty, ReadStream as TerminalStream } from "node:tty";
import { promisify } from "node:util";

const chunkBytes = 262_144;

/**
 * Opens a file for reading, in chunks of bytes. Never blocks: it waits for a pipe's writer, and an abort ends the wait.
 *
 * @throws Error of the system, with a `code` such as `ENOENT`; the stream throws the same, and an `AbortError` when aborted.
 */
export async function openForReading(file: string, signal?: AbortSignal): Promise<Readable> {
  // Opening a pipe waits for its writer in a thread that not even the end of the process interrupts. Windows does not have this flag.
  const descriptor = await promisify(open)(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stream = streamOf(descriptor, await promisify(fstat)(descriptor));
    return signal === undefined ? stream : addAbortSignal(signal, stream);
  } catch (error) {
    close(descriptor);
    throw error;
  }
}

function streamOf(descriptor: number, stats: Stats): Readable {
  if (stats.isFIFO()) return new Socket({ fd: descriptor, readable: true, writable: false });
  if (isatty(descriptor)) return new TerminalStream(descriptor);
  return createReadStream("", { fd: descriptor, highWaterMark: chunkBytes });
}
