import { isUtf8 } from "node:buffer";
import { InputError, quoteText, systemErrorCode } from "./errors/inputError.ts";
import { VipError } from "./errors/vipError.ts";
import { Field, type RefuseField } from "./field.ts";
import { readInputFile } from "./inputFile.ts";
import { findRepeatedKey, tryParseJson } from "./jsonScanner.ts";
import type { SignalOptions } from "./readOptions.ts";

/** A transaction takes some 130 bytes in what the command prints, so a push of 100,000 batches fits. */
const defaultMaxBytes = 16 * 2 ** 20;

/** Options of {@link readJsonFile}. */
export interface ReadJsonFileOptions extends SignalOptions {
  /** The file as given, for messages. */
  readonly name: string;
  /** Creates the errors of the file and of its fields. Default: an InputError `INPUT_INVALID`. */
  readonly refuse?: RefuseField;
}

/**
 * Reads a JSON file of at most 16 MiB.
 *
 * @throws InputError `FILE_UNREADABLE`; the error of `refuse` for text that is not JSON or has a key twice; the signal's reason when aborted.
 */
export async function readJsonFile(
  path: string,
  { name, refuse = (place, problem) => new InputError(`${place} ${problem}`), signal }: ReadJsonFileOptions,
): Promise<Field> {
  return parseJson(await readFileText(path, name, { signal }), name, refuse);
}

/** What editors allow in their settings, and JSON does not; a text, which may look like it, is kept. */
const comments = /("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[^]*?\*\//g;
const lastCommas = /("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g;
/** Characters of the longest text in which they are looked for. */
const longestSettings = 16_384;

/** @throws the error of `refuse` for a key that stands twice in one object, of `refuseText` for text that is not JSON. */
export function parseJson(text: string, name: string, refuse: RefuseField, refuseText = refuse): Field {
  const value = tryParseJson(text);
  if (value === undefined) {
    const bare = text.slice(0, longestSettings).replace(comments, "$1").replace(lastCommas, "$1");
    throw refuseText(
      name,
      tryParseJson(bare) !== undefined
        ? "is not JSON, which has no comments and no comma before } or ]"
        : "is not JSON",
    );
  }
  const repeated = findRepeatedKey(text);
  if (repeated !== undefined) throw refuse(name, `has the key ${quoteText(repeated)} twice in one object`);
  return new Field(value, name, refuse);
}

/**
 * Reads the text of a file, without the byte-order mark that editors of Windows write.
 *
 * @throws as {@link readFileBytes}.
 */
export async function readFileText(path: string, name: string, options: ReadFileOptions = {}): Promise<string> {
  const bytes = await readFileBytes(path, name, options);
  if (isUtf8(bytes) && !bytes.includes(0)) return new TextDecoder().decode(bytes);
  throw unreadableFile(name, "it is UTF-16 or binary, not UTF-8: save it as UTF-8");
}

/** Options of {@link readFileBytes}. */
export interface ReadFileOptions extends SignalOptions {
  /** Size of the largest file, in bytes. Default: 16 MiB. */
  readonly maxBytes?: number;
}

/**
 * Reads a regular file.
 *
 * @param name The file as given, for messages.
 * @throws InputError `FILE_UNREADABLE`, `FILE_CHANGED`; the signal's reason when aborted.
 */
export async function readFileBytes(
  path: string,
  name: string,
  { signal, maxBytes = defaultMaxBytes }: ReadFileOptions = {},
): Promise<Buffer> {
  signal?.throwIfAborted();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of readInputFile(path, name, { signal })) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw unreadableFile(name, `larger than ${maxBytes / 2 ** 20} MiB`);
      chunks.push(chunk);
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof InputError ? cause : unreadableFile(name, systemErrorCode(cause), cause);
  }
  return Buffer.concat(chunks);
}

function unreadableFile(name: string, why: string, cause?: unknown): InputError {
  return new InputError(`${name} cannot be read (${why})`, { code: "FILE_UNREADABLE", cause });
}

/** Returns undefined in place of the error of a file that does not exist. */
export async function ifExists<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (VipError.isVipError(error) && error.code === "FILE_UNREADABLE" && systemErrorCode(error.cause) === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}
