/**
 * How long an endpoint asks to be left alone with `Retry-After`, seconds or a date (RFC 9110, section 10.2.3), in
 * milliseconds; 0 where it does not. A date is compared with the endpoint's own clock where the answer shows it.
 */
export function readRetryAfter(headers: Headers): number {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const now = Date.parse(headers.get("date") ?? "");
  const milliseconds = Date.parse(value) - (Number.isNaN(now) ? Date.now() : now);
  return milliseconds > 0 ? milliseconds : 0;
}
