import { InputError, openForReading, systemErrorCode } from "@vipscore/core";
import type { Io } from "../io/io.ts";
import { pathOf } from "./readTable.ts";

/**
 * Size of the largest file that is read; a device may never end. A transaction takes some 130 bytes in what the command
 * prints, so a push of 100,000 batches fits.
 */
const maxBytes = 16 * 2 ** 20;

/**
 * Reads the text of a small file.
 *
 * @throws InputError `FILE_UNREADABLE`, also above 16 MiB; the signal's reason when aborted.
 */
export async function readFileText(io: Io, file: string): Promise<string> {
  io.signal.throwIfAborted();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of (await openForReading(pathOf(io, file), io.signal)) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw unreadable(file, `larger than ${maxBytes / 2 ** 20} MiB`);
      chunks.push(chunk);
    }
  } catch (cause) {
    io.signal.throwIfAborted();
    throw cause instanceof InputError ? cause : unreadable(file, systemErrorCode(cause), cause);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function unreadable(file: string, why: string, cause?: unknown): InputError {
  return new InputError(`${file} cannot be read (${why})`, { code: "FILE_UNREADABLE", cause });
}
