import type { SignalOptions } from "../readOptions.ts";
import { Patience } from "./patience.ts";

/**
 * Asks `read` until it gives a value, pausing 10 ms at first and twice as long each time, up to half a second.
 * Gives undefined once `timeoutMs` have passed.
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
