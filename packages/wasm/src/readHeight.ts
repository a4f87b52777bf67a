import { HeightFloor } from "@vipscore/core/http";
import type { CometRpc } from "./cometRpc.ts";
import { unreadable } from "./readField.ts";

/**
 * The newest height whose state can be read. The height of `status` is that of the newest block, whose state can still be
 * under way.
 */
async function readHeight(comet: CometRpc, signal: AbortSignal | undefined): Promise<bigint> {
  const { lastBlockHeight: height } = await comet.read("abci_info", (client) => client.abciInfo(), signal);
  if (height !== undefined && height > 0) return BigInt(height);
  return unreadable({ endpoint: comet.endpoint, title: "abci_info" }, "last_block_height", height);
}

/** The heights that a connection to an endpoint sees. */
export function openHeights(comet: CometRpc): HeightFloor {
  return new HeightFloor(comet.endpoint, (signal) => readHeight(comet, signal));
}
