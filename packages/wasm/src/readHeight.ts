import { HeightFloor, type JsonRpc } from "@vipscore/core/wire";

/** The heights that a connection to an endpoint sees. */
export function openHeights(comet: JsonRpc): HeightFloor {
  return new HeightFloor(comet.endpoint, (signal) => readHeight(comet, signal));
}

/**
 * The newest height whose state can be read. The height of `status` is that of the newest block, whose state can still be
 * under way.
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
