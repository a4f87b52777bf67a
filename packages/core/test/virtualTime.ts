import { setImmediate } from "node:timers/promises";
import { vi } from "vitest";

let onPause = (): void => undefined;

/** Stops the clock: time passes in pauses alone, and `work` is called in each. `vi.useRealTimers` starts it again. */
export function stopClock(work: () => void): void {
  onPause = work;
  vi.useFakeTimers({ toFake: ["Date"] });
}

/**
 * Takes the place of `src/push/pause.ts`: moves the clock on at once.
 *
 * @example
 * vi.mock("../src/push/pause.ts", () => import("./virtualTime.ts"));
 */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await setImmediate();
  vi.setSystemTime(Date.now() + milliseconds);
  onPause();
}
