import { PassThrough } from "node:stream";
import { VipError } from "@vipscore/core";
import { until } from "@vipscore/testkit/until";
import { expect } from "vitest";
import { run, type Clock } from "../src/index.ts";
import { allOutput, type JsonObject } from "./harness.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that stands still until a test moves it. */
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

  /** Lets time pass, and whatever waits for it go on. */
  advance(milliseconds: number): void {
    this.#time += milliseconds;
    for (const sleeper of this.#sleepers) {
      if (sleeper.at > this.#time) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}

/** A `vipscore watch --json` that runs in this process. */
export interface Watch {
  readonly clock: TestClock;
  /** What it has written to stderr so far. */
  readonly stderr: () => string;
  /** Every object on stdout so far. */
  readonly objects: () => readonly JsonObject[];
  /** The object of a round, once it is there. */
  readonly round: (number: number) => Promise<JsonObject>;
  /** Lets the interval pass and gives the object of the round after the newest. */
  readonly nextRound: () => Promise<JsonObject>;
  readonly interrupt: () => void;
  readonly status: Promise<number>;
}

/** The interval of every {@link startWatch} that names no other one. */
const intervalMs = 60_000;

const started: Watch[] = [];

/** Starts a watch of stage 1; {@link endWatches} ends it at the latest. */
export function startWatch(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Watch {
  const clock = new TestClock();
  const interruption = new AbortController();
  let stdout = "";
  let stderr = "";
  let hasEnded = false;
  const status = run(["watch", "--json", "--stage", "1", ...args], {
    stdin: Object.assign(new PassThrough(), { isTTY: false }),
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
    env,
    cwd,
    signal: interruption.signal,
    clock,
  }).finally(() => {
    hasEnded = true;
    allOutput.push(stdout, stderr);
  });
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

/** Ends a watch by its signal, and checks that it ends as one does. */
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
