import { InputError, systemErrorCode } from "@vipscore/core";
import type { Io } from "../io/io.ts";
import { readFileText } from "./readFileText.ts";
import { pathOf } from "./readTable.ts";

/** A transaction takes some 130 bytes in what the command prints, so a push of 100,000 batches fits. */
const maxBytes = 16 * 2 ** 20;

/**
 * Reads the text of a file that this command wrote.
 *
 * @throws InputError `FILE_UNREADABLE`, also above 16 MiB; the signal's reason when aborted.
 */
export async function readWholeText(io: Io, file: string): Promise<string> {
  try {
    return await readFileText(pathOf(io, file), io, maxBytes);
  } catch (cause) {
    io.signal.throwIfAborted();
    const code = systemErrorCode(cause);
    const why = code === "EFBIG" ? `larger than ${maxBytes / 2 ** 20} MiB` : code;
    throw new InputError(`${file} cannot be read (${why})`, { code: "FILE_UNREADABLE", cause });
  }
}
