import { systemErrorCode } from "../errors/fileUnwritable.ts";
import { InputError } from "../errors/inputError.ts";
import { openForReading } from "./openForReading.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist; give the path of a score file",
  EISDIR: "is a directory; give the path of a score file",
  EACCES: "may not be read by this user; change its permissions",
  EPERM: "may not be read by this user; change its permissions",
};

/**
 * Reads a file in chunks of bytes.
 *
 * @throws InputError `FILE_UNREADABLE`; the signal's reason when aborted.
 */
export async function* fileChunks(file: string, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  signal?.throwIfAborted();
  try {
    yield* (await openForReading(file, signal)) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    signal?.throwIfAborted();
    const code = systemErrorCode(cause);
    throw new InputError(`${file} ${reasons[code] ?? `cannot be read (${code})`}`, { code: "FILE_UNREADABLE", cause });
  }
}
