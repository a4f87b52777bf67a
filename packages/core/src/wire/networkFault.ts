/**
 * Returns the cause of a failed request: the system's code, such as ECONNREFUSED, or the message of the deepest cause. The
 * error of `fetch` itself says only `fetch failed`.
 */
export function networkFault(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause !== undefined) deepest = deepest.cause;
  if (!(deepest instanceof Error)) return "network fault";
  return "code" in deepest && typeof deepest.code === "string" ? deepest.code : deepest.message;
}
