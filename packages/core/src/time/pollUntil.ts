import type { SignalOptions } from "../readOptions.ts";
import { Patience } from "./patience.ts";

/**
 * Calls `read` until it returns a value, pausing 10 ms at first and twice as long each time, up to half a second.
 * Returns undefined once `timeoutMs` have passed.
 */
export async function pollUntil<T>(
  read: () => Promise<T | undefined>,
  options: SignalOptions & { readonly timeoutMs: number },
): Promise<T | undefined> {
  const patience = new Patience({ forMs: options.timeoutMs });
  for (;;) {
    options.signal?.throwIfAborted();
    const value = await read();
    if (value !== undefined) return value;
    if (!(await patience.pause(options.signal))) return undefined;
  }
}
