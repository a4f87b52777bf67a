import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonRpcFailure } from "@vipscore/localnet";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { evmChain } from "../../src/chain/evm/evmChain.ts";
import { openStore } from "../../src/store/openStore.ts";
import { startBehind } from "../evm/chains.ts";
import { Wallet } from "../evm/wallet.ts";
import { dumpDatabase } from "./dumpDatabase.ts";
import { startFollowing } from "./following.ts";
import { live, steps } from "./randomLife.ts";

const seed = fuzzSeed();

/** One call in this many fails. */
const failing = 25;

test("with a node that fails at random the database is the same as with one that never fails", async () => {
  const folder = temporaryFolder();
  let isFlaky = false;
  let calls = 0;
  const faults = fc.sample(fc.tuple(fc.nat(failing - 1), fc.nat(3)), { seed, numRuns: 5_000 });
  const node = await startBehind((request) => async (method, params) => {
    const [chance, fault] = isFlaky ? (faults[calls++ % faults.length] ?? []) : [];
    if (chance !== 0) return request(method, params);
    if (fault === 0) throw new JsonRpcFailure(429, "Too Many Requests");
    if (fault === 1) throw new JsonRpcFailure(-32000, "header not found");
    if (fault === 2) throw new JsonRpcFailure(-32603, "something else");
    return null;
  });
  try {
    const nft = await new Wallet(node.rpcUrl).deploy(await readDemoNft(), "Flaky", "FLK");
    const [life] = fc.sample(steps, { seed, numRuns: 1 });
    await live(nft, life ?? []);
    const index = async (file: string): Promise<void> => {
      const store = await openStore(file);
      const chain = { ...evmChain({ jsonRpcUrl: node.rpcUrl }), blocksPerRead: 5 };
      const following = startFollowing({ chain, store });
      await following.untilRead(1 + (life?.length ?? 0));
      await following.stop();
      await store.close();
    };
    const [flaky, calm] = [join(folder, "flaky.sqlite"), join(folder, "calm.sqlite")];
    isFlaky = true;
    await index(flaky);
    isFlaky = false;
    await index(calm);
    expect(dumpDatabase(flaky)).toBe(dumpDatabase(calm));
    expect(calls).toBeGreaterThan(failing);
  } finally {
    await node.stop();
  }
});
