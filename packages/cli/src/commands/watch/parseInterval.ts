import { InputError } from "@vipscore/core/errors";

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** Ten of these, the time limit of a command, still fit a timer. */
const longestMs = 24 * 3_600_000;

/**
 * Parses an interval such as `30s`, `5m` or `1h`. Returns milliseconds.
 *
 * @throws InputError `INPUT_INVALID` unless it is from 1 second to 24 hours.
 */
export function parseInterval(text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const milliseconds = Number(digits) * (unitMs[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= longestMs) return milliseconds;
  throw new InputError(`--interval "${text}" is not a time from 1s to 24h, such as 30s, 5m or 1h`);
}
