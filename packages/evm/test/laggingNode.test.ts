// One node that is seconds behind the chain, and shows a block's transactions a moment before their receipts.
import { createPublicClient, getAddress, http } from "viem";
import { expect, test } from "vitest";
import { ScoreTable } from "@vipscore/core";
import { startHardhat } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { pushAll, rowsOf, stageOne } from "@vipscore/testkit/adapter/rows";
import { balanceEvm } from "@vipscore/testkit/balanceEvm";
import { answerRpc, rpcOf } from "@vipscore/testkit/rpcCalls";
import { startProxy, type Proxy } from "@vipscore/testkit/startProxy";
import { connectEvm, deployEvm, vipScoreAbi } from "../src/index.ts";
import { freshAccount } from "./testContract.ts";

const chain = useChain(() => startHardhat({ blockTimeMs: 100 }));

/** A node that has no receipt of a transaction when it is first asked for one in a block that it has. */
function indexLate(upstreamUrl: string): Promise<Proxy> {
  const upstream = rpcOf(upstreamUrl);
  const asked = new Set<string>();
  return startProxy(({ body }) =>
    answerRpc(body, async (method, params) => {
      const answer = await upstream(method, params);
      if (method !== "eth_getTransactionReceipt" || answer === null) return answer;
      const [hash] = params as readonly [string];
      if (asked.has(hash)) return answer;
      asked.add(hash);
      return null;
    }),
  );
}

test.each([2000, 3000])("writes each row once through a node that is %i ms behind", async (lagMs) => {
  const { rpcUrl } = chain();
  const account = await freshAccount(rpcUrl);
  const { address } = await deployEvm({ rpcUrl, account, initStage: stageOne });
  await using behind = await balanceEvm({ upstreamUrl: rpcUrl, lagsMs: [lagMs], seed: 1, flavor: "geth" });
  await using node = await indexLate(behind.url);
  const contract = await connectEvm({ rpcUrl: node.url, address, account });
  const rows = rowsOf(2_500);
  const events = await pushAll(contract, ScoreTable.from(rows));
  expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true } });
  const written = await createPublicClient({ transport: http(rpcUrl) }).getContractEvents({
    address: getAddress(address),
    abi: vipScoreAbi,
    eventName: "UpdateScore",
    fromBlock: 0n,
  });
  expect(written).toHaveLength(rows.length);
});
