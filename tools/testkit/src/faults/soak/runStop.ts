import { randomFor } from "../faultChoice.ts";
import type { LoggedRequest } from "../faultProxy.ts";

/** A signal that ends a push, and when. */
export interface RunStop {
  readonly signal: "SIGKILL" | "SIGINT" | "SIGTERM";
  /** The request, or broadcast, with this number, from 1. */
  readonly at: number;
  readonly of: "request" | "broadcast";
}

const signals = ["SIGKILL", "SIGKILL", "SIGINT", "SIGTERM"] as const;

/** Draws how a run is stopped; two of three runs are not. */
export function drawRunStop(seed: number): RunStop | undefined {
  const random = randomFor(seed, "stop");
  if (random.below(3) !== 0) return undefined;
  const signal = random.pick(signals);
  if (random.below(2) === 0) return { signal, at: 1 + random.below(80), of: "request" };
  return { signal, at: 1 + random.below(4), of: "broadcast" };
}

/** Counts requests and returns true at the request where the run is stopped. */
export function countTo({ at, of }: RunStop): (request: LoggedRequest) => boolean {
  let count = 0;
  return ({ role }) => {
    if (of === "broadcast" && role !== "broadcast") return false;
    count += 1;
    return count === at;
  };
}
