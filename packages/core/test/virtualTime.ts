import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, vi } from "vitest";

let onPause = (): void => undefined;

// In every test of a file that mocks `pause`.
beforeEach(() => stopClock());
afterEach(() => vi.useRealTimers());

/** Stops both clocks: time passes only in pauses, and each pause calls `work`. */
export function stopClock(work: () => void = () => undefined): void {
  onPause = work;
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
}

/**
 * Replaces `src/time/pause.ts`: advances the clocks immediately.
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
