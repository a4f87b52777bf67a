import { finalizeStage, planPush, push, ScoreTable, stage, type PushEvent } from "@vipscore/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EvmScoreContract } from "../src/evmScoreContract.ts";
import { connectEvm } from "../src/index.ts";
import { testChains, type RunningChain } from "./testChains.ts";
import { deployer, deployShape, operator, rowsOf, stageOne, write, type Shape } from "./testContract.ts";

const stageTwo = stage(2n);

async function pushAll(contract: EvmScoreContract, table: ScoreTable, prune = false): Promise<readonly PushEvent[]> {
  const events: PushEvent[] = [];
  for await (const event of push(contract, await planPush(contract, stageOne, table, { prune }))) events.push(event);
  return events;
}

function countOf(events: readonly PushEvent[], type: PushEvent["type"]): number {
  return events.filter((event) => event.type === type).length;
}

describe.each(testChains)("the engine on $name", ({ start }) => {
  let chain: RunningChain;
  beforeAll(async () => {
    chain = await start();
  });
  afterAll(() => chain.stop());

  describe.each<Shape>(["ours", "reference"])("with the contract: %s", (shape) => {
    test("pushes, sends nothing the second time, prunes, finalizes, and is refused afterwards", async () => {
      const contract = await deployShape(chain.rpcUrl, shape);
      const table = ScoreTable.from(rowsOf(900));
      const first = await pushAll(contract, table);
      expect(first.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: 900 } });
      expect(countOf(first, "setback")).toBe(0);
      expect(countOf(await pushAll(contract, table), "sent")).toBe(0);

      const fewer = ScoreTable.from(rowsOf(850));
      await expect(pushAll(contract, fewer)).rejects.toMatchObject({ code: "EXTRA_ACCOUNTS" });
      await pushAll(contract, fewer, true);

      await expect(finalizeStage(contract, stageOne, { expect: table })).rejects.toMatchObject({
        code: "VERIFY_MISMATCH",
      });
      const { verification } = await finalizeStage(contract, stageOne, { expect: fewer });
      expect(verification).toMatchObject({ agrees: true, accounts: 900, total: { contract: fewer.total } });
      expect(await contract.getStage(stageTwo)).toMatchObject({ isFinalized: false, total: 0n });
      await expect(pushAll(contract, table)).rejects.toMatchObject({ code: "STAGE_FINALIZED" });
    });

    test("says that the signer is no member, and who is a manager", async () => {
      const contract = await deployShape(chain.rpcUrl, shape);
      const asOperator = await connectEvm({
        rpcUrl: chain.rpcUrl,
        address: contract.identity.address,
        account: operator,
      });
      const table = ScoreTable.from(rowsOf(1));
      await expect(planPush(asOperator, stageOne, table)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
      const [signer, other] = [contract.signer!, asOperator.signer!];
      expect(await contract.isManager(signer)).toBe(true);
      expect(await contract.isManager(other)).toBe(false);

      await write(contract, { kind: "addMember", account: other });
      await write(contract, { kind: "removeMember", account: signer });
      expect(await contract.isManager(other)).toBe(true);
      // The owner of our contract needs no place on the allow-list to manage it.
      expect(await contract.isMember(signer)).toBe(false);
      expect(await contract.isManager(signer)).toBe(shape === "ours");
      expect(deployer.address.toLowerCase()).toBe(signer);
    });
  });
});
