import { pollUntil } from "@vipscore/core";
import { patienceMs } from "@vipscore/core/http";
import type { CometRpc } from "./cometRpc.ts";
import { findReceipt, type Receipt } from "./lookUp.ts";
import { unreadable } from "./readField.ts";

/**
 * The value that a transaction in a block gave in an event.
 *
 * @throws NodeError `NODE_BAD_RESPONSE` where it has no such event.
 */
export async function eventValue(
  comet: CometRpc,
  hash: string,
  { type, key }: { readonly type: string; readonly key: string },
  signal: AbortSignal | undefined,
): Promise<string> {
  const read = (): Promise<Receipt | undefined> => findReceipt(comet, hash, signal);
  // The node that is asked may be behind the one that showed it first.
  const receipt = await pollUntil(read, { timeoutMs: patienceMs.behind, ...(signal && { signal }) });
  const event = receipt?.result.events.find((each) => each.type === type);
  const value = event?.attributes.find((attribute) => attribute.key === key)?.value;
  return value ?? unreadable({ endpoint: comet.endpoint, title: `tx ${hash}` }, `event ${type}`, receipt?.result.log);
}
