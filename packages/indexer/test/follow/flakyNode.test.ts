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

type Log = Readonly<Record<string, unknown>>;

/** What a node makes of one log: twice, removed, of another block, or moved to another height. */
const lies: readonly ((log: Log) => readonly Log[])[] = [
  (log) => [log, log],
  (log) => [{ ...log, removed: true }],
  (log) => [{ ...log, blockHash: `0x${"99".repeat(32)}` }],
  (log) => [{ ...log, blockNumber: "0xffff" }],
  (log) => [{ ...log, blockNumber: `0x${(Number(log["blockNumber"]) - 1).toString(16)}` }],
];

test("with a node that fails and lies at random the database is the same as with an honest one", async () => {
  const folder = temporaryFolder();
  let isFlaky = false;
  let calls = 0;
  const faults = fc.sample(fc.tuple(fc.nat(failing - 1), fc.nat(3)), { seed, numRuns: 5_000 });
  const choices = fc.sample(fc.tuple(fc.boolean(), fc.constantFrom(...lies), fc.nat(20)), { seed, numRuns: 1_000 });
  let lied = 0;
  const node = await startBehind((request) => async (method, params) => {
    const [chance, fault] = isFlaky ? (faults[calls++ % faults.length] ?? []) : [];
    if (chance !== 0) {
      const own = await request(method, params);
      if (!isFlaky || method !== "eth_getLogs") return own;
      const logs = own as readonly Log[];
      const [isLie, lie, place] = choices[calls % choices.length] ?? [false];
      if (!isLie || logs.length === 0) return own;
      lied += 1;
      return logs.flatMap((log, index) => (index === place % logs.length ? lie(log) : log));
    }
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
      const chain = { ...evmChain({ jsonRpcUrl: node.rpcUrl }), blocksPerRead: 2 };
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
    expect(lied).toBeGreaterThan(lies.length);
  } finally {
    await node.stop();
  }
});
