import { setImmediate } from "node:timers/promises";
import { vi } from "vitest";

let onPause = (): void => undefined;

/** Stops both clocks: time passes in pauses alone, and `work` is called in each. `vi.useRealTimers` starts them again. */
export function stopClock(work: () => void = () => undefined): void {
  onPause = work;
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
}

/**
 * Takes the place of `src/push/pause.ts`: moves the clocks on at once.
 *
 * @example
 * vi.mock("../src/time/pause.ts", () => import("./virtualTime.ts"));
 */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await setImmediate();
  vi.advanceTimersByTime(milliseconds);
  onPause();
}
