import { InputError, openForReading, systemErrorCode } from "@vipscore/core";
import type { Io } from "../io/io.ts";
import { pathOf } from "./readTable.ts";

/** Far above the size of any settings file, keystore or deployments file; a device may never end. */
const settingsBytes = 1_048_576;
/** A transaction takes some 130 bytes in what the command prints, so a push of 100,000 batches fits. */
const printedBytes = 16 * 2 ** 20;

/**
 * Reads the text of a small file.
 *
 * @param maxBytes - Size of the largest file that is read. Default: 1 MiB.
 * @throws Error with a `code`: the system's, or `EFBIG` for a larger file; the signal's reason when aborted.
 */
export async function readFileText(
  path: string,
  { signal }: Pick<Io, "signal">,
  maxBytes = settingsBytes,
): Promise<string> {
  signal.throwIfAborted();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of (await openForReading(path, signal)) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw Object.assign(new Error(`larger than ${maxBytes} bytes`), { code: "EFBIG" });
      chunks.push(chunk);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * Reads the text of a file that this command wrote.
 *
 * @throws InputError `FILE_UNREADABLE`, also above 16 MiB; the signal's reason when aborted.
 */
export async function readWholeText(io: Io, file: string): Promise<string> {
  try {
    return await readFileText(pathOf(io, file), io, printedBytes);
  } catch (cause) {
    io.signal.throwIfAborted();
    const code = systemErrorCode(cause);
    const why = code === "EFBIG" ? `larger than ${printedBytes / 2 ** 20} MiB` : code;
    throw new InputError(`${file} cannot be read (${why})`, { code: "FILE_UNREADABLE", cause });
  }
}
