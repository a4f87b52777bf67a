import { systemErrorCode, VipError } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { Field, type RefuseField } from "@vipscore/core/field";
import { findRepeatedKey } from "@vipscore/core/wire";
import type { Io } from "../io/io.ts";
import { readFileText } from "./readFileText.ts";

/**
 * Reads a JSON file.
 *
 * @param refuse Creates the errors of the file and of its fields.
 * @throws InputError `FILE_UNREADABLE`; the error of `refuse` for text that is not JSON or has a key twice; the signal's reason when aborted.
 */
export async function readJsonFile(io: Io, file: string, refuse: RefuseField): Promise<Field> {
  const text = await readFileText(io, file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text around the error, which may be a key pasted into the wrong file.
    throw refuse(file, "is not JSON");
  }
  const repeated = findRepeatedKey(text);
  if (repeated !== undefined) throw refuse(file, `has the key ${quoteText(repeated)} twice in one object`);
  return new Field(value, file, refuse);
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
