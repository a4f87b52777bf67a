import { Option, type Command } from "commander";
import { VipError } from "@vipscore/core";
import { InputError } from "@vipscore/core/errors";
import type { Clock } from "./io.ts";
import { parsePort } from "./options.ts";

/** Flags of a command that works in rounds until it is stopped. */
export interface RoundFlags {
  /** Milliseconds. */
  readonly interval: number;
  readonly metricsPort?: number;
  readonly metricsHost: string;
}

export function intervalOption(): Option {
  return new Option("--interval <time>", "time between rounds, 1s to 24h, such as 30s, 5m or 1h")
    .argParser(parseInterval)
    .default(60_000, "60s");
}

export function withMetricsOptions(command: Command): Command {
  return command
    .option(
      "--metrics-port <port>",
      "serve Prometheus metrics on this port; 0 picks a free port",
      parsePort("--metrics-port"),
    )
    .option("--metrics-host <address>", "address to serve them on", "127.0.0.1");
}

/** A service manager ends such a command with SIGTERM, which is then no failure. */
export function isTerminated({ aborted, reason }: AbortSignal): boolean {
  return aborted && VipError.isVipError(reason) && reason.cause === "SIGTERM";
}

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
