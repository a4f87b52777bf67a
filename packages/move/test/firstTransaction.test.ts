import { stage } from "@vipscore/core";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { expect, test } from "vitest";
import { deployMove, moveAccount, type DeployMoveEvent } from "../src/index.ts";

test("from the start of a chain to its first transaction in a block: at most two seconds", async () => {
  const startedAt = performance.now();
  const since = (): number => Math.round(performance.now() - startedAt);
  await using node = await startVipnode({ vm: "move" });
  const ready = since();
  let first = Number.POSITIVE_INFINITY;
  const onEvent = ({ status }: DeployMoveEvent): void => {
    if (status === "done") first = Math.min(first, since());
  };
  const account = moveAccount({ mnemonic: testAccounts.deployer.mnemonic });
  await deployMove({ restUrl: node.restUrl, account, initStage: stage(1n), onEvent });
  console.log(`ready after ${ready} ms, the first transaction in a block after ${first} ms`);
  expect(first).toBeLessThanOrEqual(2_000);
});
