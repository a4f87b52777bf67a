import { expect, test } from "vitest";
import { startVipnode } from "@vipscore/localnet";
import { pushTwice } from "@vipscore/testkit/adapter/pushTwice";
import { stageOne } from "@vipscore/testkit/adapter/rows";
import { balanceComet } from "@vipscore/testkit/balanceComet";
import { countFalseErrors, soakRuns } from "@vipscore/testkit/falseErrors";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { hangBoundOf } from "@vipscore/testkit/hangBound";
import { connectWasm, deployWasm } from "../src/index.ts";
import { deployer } from "../test/testContract.ts";

const runs = soakRuns();

test(
  "no false error on an endpoint with two replicas, one of them a second behind",
  async () => {
    await using chain = await startVipnode({ vm: "wasm" });
    await using endpoint = await balanceComet({ upstreamUrl: chain.rpcUrl, lagsMs: [0, 1000], seed: fuzzSeed() });
    const rpcUrl = endpoint.url;
    const counts = await countFalseErrors("balanced", runs, async (index, take) => {
      // An account has one contract per label.
      const label = `soak ${index}`;
      const { address } = await take("deploy", () =>
        deployWasm({ rpcUrl, account: deployer, initStage: stageOne, label }),
      );
      const contract = await take("connect", () => connectWasm({ rpcUrl, address, account: deployer }));
      await pushTwice(contract, take);
    });
    expect(counts).toEqual({});
    expect(Math.min(...endpoint.served)).toBeGreaterThan(0);
  },
  hangBoundOf(runs),
);
