import type { NftChain, UriRead } from "../chain/nftChain.ts";
import type { NftStore } from "../store/nftStore.ts";
import type { IdleTimes } from "./idleTimes.ts";
import { patiently, type Patience } from "./patiently.ts";

/**
 * URIs per step: a new block waits for at most one step, 0.4 s of a node's work at the 3.6 ms that a `tokenURI` takes on
 * minievm.
 */
const urisPerStep = 100;

/** Steps after which the store is asked again which URIs to read. */
const stepsPerList = 10;

/**
 * Reads the URIs that are to be read, whenever the follower has nothing else to do, until the signal aborts. Retries a
 * failing node or database without limit.
 *
 * @throws errors of the store; the signal's reason.
 */
export async function followUris(
  { chain, store }: { readonly chain: NftChain; readonly store: NftStore },
  idle: IdleTimes,
  { onEvent, signal }: Patience,
): Promise<void> {
  const readSome = async (): Promise<number> => {
    const pending = await store.readPendingUris(urisPerStep * stepsPerList);
    const start = (from: number): Promise<readonly UriRead[]> | undefined => {
      if (from >= pending.length || (from > 0 && !idle.isIdle)) return undefined;
      const reading = chain.readUris(pending.slice(from, from + urisPerStep), signal);
      // If storing the previous step fails, nobody reads it.
      reading.catch(() => undefined);
      return reading;
    };
    let reading = start(0);
    for (let next = urisPerStep; reading !== undefined; next += urisPerStep) {
      const reads = await reading;
      // The node works while the database does.
      reading = start(next);
      const { leftOut, pendingUris } = await store.applyUris(reads);
      for (const left of leftOut) onEvent?.({ type: "leftOut", ...left });
      onEvent?.({ type: "urisRead", pendingUris });
    }
    return pending.length;
  };
  let finished = 0;
  for (;;) {
    const idleTime = await idle.until(finished, signal);
    if ((await patiently(readSome, { onEvent, signal })) === 0) finished = idleTime;
  }
}
