import { startHardhat } from "@vipscore/localnet";

/**
 * A separate process that serves a Hardhat chain: `hardhatServer [milliseconds between blocks]`. By default, every
 * transaction is mined at once. Sends its URL to its parent and ends with it. The chain's time and memory do not count as
 * the bench's.
 */
const blockTimeMs = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
const node = await startHardhat(blockTimeMs === undefined ? {} : { blockTimeMs });
process.on("disconnect", () => {
  void node.stop().finally(() => process.exit(0));
});
process.send?.(node.rpcUrl);
