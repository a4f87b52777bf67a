import { HeightFloor, type JsonRpc } from "@vipscore/core/wire";

/** The block heights of a connection to an endpoint. */
export function openHeights(comet: JsonRpc): HeightFloor {
  return new HeightFloor(comet.endpoint, (signal) => readHeight(comet, signal));
}

/**
 * Reads the newest height whose state is committed. `status` returns the height of the newest block, whose state may not
 * be committed yet.
 */
function readHeight(comet: JsonRpc, signal: AbortSignal | undefined): Promise<bigint> {
  return comet.read(
    "abci_info",
    {},
    (answer) => {
      const height = answer.field("response").field("last_block_height");
      const last = height.u64();
      return last > 0n ? last : height.unreadable("the height of a block");
    },
    signal,
  );
}
