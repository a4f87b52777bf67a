import { startHardhat } from "@vipscore/localnet";

/**
 * A separate process that serves a Hardhat chain: `hardhatServer <milliseconds between blocks>`. Sends its URL to its parent
 * and ends with it. The chain's time and memory do not count as the bench's.
 */
const node = await startHardhat({ blockTimeMs: Number(process.argv[2]) });
process.on("disconnect", () => {
  void node.stop().finally(() => process.exit(0));
});
process.send?.(node.rpcUrl);
