import { expect, onTestFinished, test, vi } from "vitest";
import { stage, type DeployEvent } from "@vipscore/core";
import { openRest } from "@vipscore/core/wire";
import { openTransport } from "@vipscore/cosmos";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { deployMove, moveAccount } from "../src/index.ts";

test("the first transaction of a chain is in the next block or in the one after that", async () => {
  const startedAt = performance.now();
  const since = (): number => Math.round(performance.now() - startedAt);
  await using node = await startVipnode({ vm: "move" });
  const ready = since();
  const rest = openRest(node.restUrl);
  /** The newest block when the node accepted the transaction; the block in progress at that time does not include it. */
  let newest: bigint | undefined;
  const send = globalThis.fetch;
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
    const response = await send(url, init);
    const isSent = init?.method === "POST" && url instanceof URL && url.pathname === "/cosmos/tx/v1beta1/txs";
    if (isSent) newest ??= await openTransport(rest, () => ({ details: "" })).heights.getHeight();
    return response;
  });
  let first = Number.POSITIVE_INFINITY;
  const onEvent = ({ status }: DeployEvent): void => {
    if (status === "done") first = Math.min(first, since());
  };
  const account = moveAccount({ mnemonic: testAccounts.deployer.mnemonic });
  const { transaction } = await deployMove({ restUrl: node.restUrl, account, initStage: stage(1n), onEvent });
  console.log(
    `ready after ${ready} ms, the first transaction in a block after ${first} ms: block ${transaction?.height}`,
  );
  expect(newest).toBeDefined();
  expect(transaction?.height).toBeLessThanOrEqual(newest! + 2n);
});
