import type { CometRpc } from "./cometRpc.ts";
import { findReceipt } from "./lookUp.ts";
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
  const receipt = await findReceipt(comet, hash, signal);
  const event = receipt?.result.events.find((each) => each.type === type);
  const value = event?.attributes.find((attribute) => attribute.key === key)?.value;
  return value ?? unreadable({ endpoint: comet.endpoint, title: `tx ${hash}` }, `event ${type}`, receipt?.result.log);
}
