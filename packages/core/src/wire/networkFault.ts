/**
 * What a failed request met: the system's code, such as ECONNREFUSED, else the message of the deepest cause. The error of
 * `fetch` itself says no more than `fetch failed`.
 */
export function networkFault(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause !== undefined) deepest = deepest.cause;
  if (!(deepest instanceof Error)) return "network fault";
  return "code" in deepest && typeof deepest.code === "string" ? deepest.code : deepest.message;
}
