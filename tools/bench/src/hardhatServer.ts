import { startHardhat } from "@vipscore/localnet";

/**
 * A process of its own that serves a Hardhat chain: `hardhatServer [milliseconds between blocks]`; without them every
 * transaction is mined at once. Sends its URL to its parent and ends with it, so that the chain's time and memory are not the
 * bench's.
 */
const blockTimeMs = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
const node = await startHardhat(blockTimeMs === undefined ? {} : { blockTimeMs });
process.on("disconnect", () => {
  void node.stop().finally(() => process.exit(0));
});
process.send?.(node.rpcUrl);
