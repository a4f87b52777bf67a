import { InputError } from "@vipscore/core/errors";
import type { Clock } from "../../io.ts";

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
const longestMs = 24 * 3_600_000;

/** Parses an interval such as `30s`, `5m` or `1h`; returns milliseconds. */
export function parseInterval(text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const milliseconds = Number(digits) * (unitMs[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= longestMs) return milliseconds;
  throw new InputError(`--interval "${text}" is not a time from 1s to 24h, such as 30s, 5m or 1h`);
}

/**
 * Calls `round` with 1, 2, … immediately and then every interval until it returns true. Calls never overlap: the next one
 * immediately follows a call that takes longer than the interval.
 */
export async function repeatEvery(
  { intervalMs, clock, signal }: { readonly intervalMs: number; readonly clock: Clock; readonly signal: AbortSignal },
  round: (number: number) => Promise<boolean>,
): Promise<void> {
  for (let number = 1; ; number += 1) {
    signal.throwIfAborted();
    const startedAt = clock.now();
    if (await round(number)) return;
    const left = startedAt + intervalMs - clock.now();
    if (left > 0) await clock.pause(left, signal);
  }
}
