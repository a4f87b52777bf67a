// Replicas that answer reads above their head from the state of their head, without saying so.
import { expect, test } from "vitest";
import { planPush, push, ScoreTable } from "@vipscore/core";
import { startHardhat } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { rowsOf, stageOne } from "@vipscore/testkit/adapter/rows";
import { balanceEvm } from "@vipscore/testkit/balanceEvm";
import { connectEvm, deployEvm } from "../src/index.ts";
import { freshAccount } from "./testContract.ts";

const chain = useChain(() => startHardhat({ blockTimeMs: 300 }));

test.each([5, 7, 12])("a push is verified once they have caught up: seed %i", async (seed) => {
  const { rpcUrl } = chain();
  const account = await freshAccount(rpcUrl);
  const { address } = await deployEvm({ rpcUrl, account, initStage: stageOne });
  await using endpoint = await balanceEvm({ upstreamUrl: rpcUrl, lagsMs: [0, 3000], seed, flavor: "silent" });
  const contract = await connectEvm({ rpcUrl: endpoint.url, address, account });
  const table = ScoreTable.from(rowsOf(900));
  let last;
  for await (const event of push(contract, await planPush(contract, stageOne, table))) last = event;
  expect(last).toMatchObject({ type: "verified", verification: { agrees: true } });
});
