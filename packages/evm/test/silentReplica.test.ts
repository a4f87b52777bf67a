// Replicas that answer reads above their head from the state of their head, without saying so.
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Journal, planPush, push, ScoreTable } from "@vipscore/core";
import { startHardhat } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { rowsOf, stageOne } from "@vipscore/testkit/adapter/rows";
import { balanceEvm } from "@vipscore/testkit/balanceEvm";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { connectEvm, deployEvm } from "../src/index.ts";
import { freshAccount } from "./testContract.ts";

const chain = useChain(() => startHardhat({ blockTimeMs: 300 }));

test.each([5, 7, 12])(
  "a push is verified once they have caught up, and a second one plans nothing: seed %i",
  async (seed) => {
    const { rpcUrl } = chain();
    const account = await freshAccount(rpcUrl);
    const { address } = await deployEvm({ rpcUrl, account, initStage: stageOne });
    await using endpoint = await balanceEvm({ upstreamUrl: rpcUrl, lagsMs: [0, 3000], seed, flavor: "silent" });
    const contract = await connectEvm({ rpcUrl: endpoint.url, address, account });
    const table = ScoreTable.from(rowsOf(900));
    const folder = temporaryFolder();
    const journal = await Journal.open(join(folder, "journal"), { identity: contract.identity, stage: stageOne });
    onTestFinished(() => journal.close());
    let last;
    for await (const event of push(contract, await planPush(contract, stageOne, table), { journal })) last = event;
    expect(last).toMatchObject({ type: "verified", verification: { agrees: true } });
    // Asked as often as it takes a replica that is behind to answer.
    for (let ask = 0; ask < 8; ask += 1) {
      expect(await planPush(contract, stageOne, table, { journal })).toMatchObject({
        rows: [],
        counts: { unchanged: 900 },
      });
    }
  },
);
