import { expect, test } from "vitest";
import { pushTwice } from "@vipscore/testkit/adapter/pushTwice";
import { stageOne } from "@vipscore/testkit/adapter/rows";
import { balanceEvm } from "@vipscore/testkit/balanceEvm";
import { countFalseErrors, soakRuns, type ErrorCounts } from "@vipscore/testkit/falseErrors";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { hangBoundOf } from "@vipscore/testkit/hangBound";
import { startMinievm } from "@vipscore/testkit/minievm";
import { connectEvm, deployEvm } from "../src/index.ts";
import { deployer } from "../test/testContract.ts";

const runs = soakRuns();

/** Deploys, then pushes twice, as a user would with the command. */
function soak(title: string, rpcUrl: string): Promise<ErrorCounts> {
  return countFalseErrors(title, runs, async (_index, take) => {
    const { address } = await take("deploy", () => deployEvm({ rpcUrl, account: deployer, initStage: stageOne }));
    const contract = await take("connect", () => connectEvm({ rpcUrl, address, account: deployer }));
    await pushTwice(contract, take);
  });
}

test(
  "no false error when a receipt arrives before its state",
  async () => {
    await using chain = await startMinievm();
    expect(await soak("late state", chain.rpcUrl)).toEqual({});
  },
  hangBoundOf(runs),
);

test(
  "no false error on an endpoint with two replicas, one of them a second behind",
  async () => {
    await using chain = await startMinievm({ stateLagMs: 0 });
    const options = { upstreamUrl: chain.rpcUrl, lagsMs: [0, 1000], seed: fuzzSeed(), flavor: "minievm" } as const;
    await using endpoint = await balanceEvm(options);
    expect(await soak("balanced", endpoint.url)).toEqual({});
    expect(Math.min(...endpoint.served)).toBeGreaterThan(0);
  },
  hangBoundOf(runs),
);
