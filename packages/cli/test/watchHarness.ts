import { expect } from "vitest";
import { VipError } from "@vipscore/core";
import { until } from "@vipscore/testkit/until";
import type { Clock } from "../src/index.ts";
import { runCli, type JsonObject } from "./harness.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that a test advances. */
export class TestClock implements Clock {
  #time = 0;
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return this.#time;
  }

  pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const sleeper: Sleeper = { at: this.#time + milliseconds, wake: resolve };
      this.#sleepers.add(sleeper);
      signal.addEventListener("abort", () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason as Error);
      });
    });
  }

  /** Advances the time and wakes everything that waits for it. */
  advance(milliseconds: number): void {
    this.#time += milliseconds;
    for (const sleeper of this.#sleepers) {
      if (sleeper.at > this.#time) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}

/** A `vipscore watch --json` in this process. */
export interface Watch {
  readonly clock: TestClock;
  /** Its output on stderr so far. */
  readonly stderr: () => string;
  /** Every object on stdout so far. */
  readonly objects: () => readonly JsonObject[];
  /** Waits for the object of a round. */
  readonly round: (number: number) => Promise<JsonObject>;
  /** Lets the interval pass. Returns the object of the next round. */
  readonly nextRound: () => Promise<JsonObject>;
  readonly interrupt: () => void;
  readonly status: Promise<number>;
}

/** Default interval of {@link startWatch}. */
const intervalMs = 60_000;

const started: Watch[] = [];

/** Starts a watch of stage 1; {@link endWatches} ends it if it is still running. */
export function startWatch(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Watch {
  const clock = new TestClock();
  const interruption = new AbortController();
  let stdout = "";
  let stderr = "";
  let hasEnded = false;
  const running = runCli(["watch", "--json", "--stage", "1", ...args], cwd, {
    env,
    clock,
    signal: interruption.signal,
    onOutput: (text) => (stdout += text),
    onError: (text) => (stderr += text),
  });
  const status = running.then((ended) => ended.status).finally(() => (hasEnded = true));
  const objects = (): readonly JsonObject[] =>
    stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as JsonObject);
  const round = (number: number): Promise<JsonObject> =>
    until(`round ${number}`, () => {
      const found = objects().find((object) => object["round"] === number);
      if (found === undefined && hasEnded) throw new Error(`watch ended without round ${number}: ${stderr}`);
      return found;
    });
  const watch: Watch = {
    clock,
    stderr: () => stderr,
    objects,
    round,
    nextRound: () => {
      const number = objects().filter((object) => object["round"] !== undefined).length + 1;
      clock.advance(intervalMs);
      return round(number);
    },
    interrupt: () => interruption.abort(new VipError("interrupted", { code: "INTERRUPTED" })),
    status,
  };
  started.push(watch);
  return watch;
}

/** Interrupts a watch, and checks how it ends. */
export async function interruptWatch(watch: Watch): Promise<void> {
  watch.interrupt();
  expect(await watch.status).toBe(130);
  expect(watch.objects().at(-1)).toMatchObject({ error: { code: "INTERRUPTED", exit: 130 } });
}

/** Ends every watch that {@link startWatch} started. */
export async function endWatches(): Promise<void> {
  for (const watch of started.splice(0)) {
    watch.interrupt();
    await watch.status;
  }
}
