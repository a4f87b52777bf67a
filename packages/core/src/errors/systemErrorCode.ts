/** Returns the system's code of a failed operation, such as `ENOENT`, or `unknown error`. */
export function systemErrorCode(error: unknown): string {
  const hasCode = typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";
  return hasCode ? String(error.code) : "unknown error";
}
