import { setTimeout as delay } from "node:timers/promises";
import { hangBoundMs } from "./hangBound.ts";

const pauseMs = 10;

/**
 * Calls `probe` until it returns something other than null, undefined or false, and returns that. Rethrows errors of `probe`.
 *
 * @param what - The awaited item, for the error: "block 7".
 * @throws Error when it does not come within {@link hangBoundMs}.
 * @example
 * const receipt = await until("the receipt", () => rpc("eth_getTransactionReceipt", [hash]));
 */
export async function until<T>(what: string, probe: () => T | Promise<T>): Promise<Exclude<NonNullable<T>, false>> {
  const deadline = performance.now() + hangBoundMs;
  for (;;) {
    const value = await probe();
    if (value !== null && value !== undefined && value !== false) return value as Exclude<NonNullable<T>, false>;
    if (performance.now() > deadline) throw new Error(`waited ${hangBoundMs / 60_000} minutes for ${what}`);
    await delay(pauseMs);
  }
}
