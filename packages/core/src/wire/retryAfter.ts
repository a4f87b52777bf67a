/**
 * Returns how long an endpoint asks clients to wait with `Retry-After`, seconds or a date (RFC 9110, section 10.2.3), in
 * milliseconds; 0 if it does not ask. A date is compared with the endpoint's clock if the answer shows it.
 */
export function readRetryAfter(headers: Headers): number {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const now = Date.parse(headers.get("date") ?? "");
  const milliseconds = Date.parse(value) - (Number.isNaN(now) ? Date.now() : now);
  return milliseconds > 0 ? milliseconds : 0;
}
