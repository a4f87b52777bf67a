import { InputError } from "./inputError.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "no space is left on its disk",
  EDQUOT: "the disk quota of this user is used up",
  EROFS: "its file system is read-only",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ENOENT: "its folder does not exist",
};

/**
 * Creates the error `FILE_UNWRITABLE` for a failed file operation.
 *
 * @param name The file, as shown in messages.
 * @param cause What the operation threw; its `code`, such as `ENOSPC`, becomes the reason.
 * @param metaMessages What to do next.
 */
export function fileUnwritable(name: string, cause: unknown, metaMessages: readonly string[] = []): InputError {
  const code = systemErrorCode(cause);
  const reason = reasons[code];
  const why = reason === undefined ? code : `${reason} (${code})`;
  return new InputError(`${name} cannot be written: ${why}`, { code: "FILE_UNWRITABLE", metaMessages, cause });
}

/** Returns the system's code of a failed operation, such as `ENOENT`, or `unknown error`. */
export function systemErrorCode(error: unknown): string {
  const hasCode = typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";
  return hasCode ? String(error.code) : "unknown error";
}
