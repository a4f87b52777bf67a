import { planPush, push, requireAgreement, ScoreTable, type ScoreContract } from "@vipscore/core";
import { balanceComet } from "@vipscore/testkit/balanceComet";
import { countFalseErrors, soakRuns } from "@vipscore/testkit/falseErrors";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { startVipnode } from "@vipscore/localnet";
import { expect, test } from "vitest";
import { connectWasm, deployWasm } from "../src/index.ts";
import { deployer, rowsOf, stageOne } from "../test/testContract.ts";

const runs = soakRuns();
const rows = 30;
const first = ScoreTable.from(rowsOf(rows));
const second = ScoreTable.from(rowsOf(rows).map(({ account, score }) => ({ account, score: score + 1n })));

async function pushAll(contract: ScoreContract, table: ScoreTable): Promise<void> {
  for await (const event of push(contract, await planPush(contract, stageOne, table))) {
    if (event.type === "verified") requireAgreement(event.verification);
  }
}

test(
  "no false error on an endpoint over two replicas, one of them a second behind",
  async () => {
    await using chain = await startVipnode({ vm: "wasm" });
    await using endpoint = await balanceComet({ upstreamUrl: chain.rpcUrl, lagsMs: [0, 1000], seed: fuzzSeed() });
    const rpcUrl = endpoint.url;
    const counts = await countFalseErrors("balanced", runs, async (index, take) => {
      // An account has one contract for each label.
      const label = `soak ${index}`;
      const { address } = await take("deploy", () =>
        deployWasm({ rpcUrl, account: deployer, initStage: stageOne, label }),
      );
      const contract = await take("connect", () => connectWasm({ rpcUrl, address, account: deployer }));
      await take("push", () => pushAll(contract, first));
      await take("second push", () => pushAll(contract, second));
    });
    expect(counts).toEqual({});
    expect(Math.min(...endpoint.served)).toBeGreaterThan(0);
  },
  runs * hangBoundMs,
);
