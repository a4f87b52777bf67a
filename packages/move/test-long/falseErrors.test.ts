import { expect, test } from "vitest";
import { startVipnode } from "@vipscore/localnet";
import { pushTwice } from "@vipscore/testkit/adapter/pushTwice";
import { stageOne } from "@vipscore/testkit/adapter/rows";
import { balanceRest } from "@vipscore/testkit/balanceRest";
import { countFalseErrors, soakRuns } from "@vipscore/testkit/falseErrors";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { hangBoundOf } from "@vipscore/testkit/hangBound";
import { connectMove, deployMove, type MoveAccount } from "../src/index.ts";
import { freshAccount } from "../test/testContract.ts";

const runs = soakRuns();

test(
  "no false error on an endpoint with two replicas, one of them a second behind",
  async () => {
    await using chain = await startVipnode({ vm: "move" });
    // An account publishes one module. All are funded before the endpoint starts, so that every replica has the funds.
    const accounts: MoveAccount[] = [];
    for (let index = 0; index < runs; index += 1) accounts.push(await freshAccount(chain));
    await using endpoint = await balanceRest({ upstreamUrl: chain.restUrl, lagsMs: [0, 1000], seed: fuzzSeed() });
    const restUrl = endpoint.url;
    const counts = await countFalseErrors("balanced", runs, async (index, take) => {
      const account = accounts[index]!;
      const { address } = await take("deploy", () => deployMove({ restUrl, account, initStage: stageOne }));
      const contract = await take("connect", () => connectMove({ restUrl, address, account }));
      await pushTwice(contract, take);
    });
    expect(counts).toEqual({});
    expect(Math.min(...endpoint.served)).toBeGreaterThan(0);
  },
  hangBoundOf(runs),
);
