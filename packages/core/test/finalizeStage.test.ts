import { describe, expect, it } from "vitest";

import { callContract } from "../src/push/callContract.ts";
import { finalizeStage } from "../src/push/finalizeStage.ts";
import { planPush } from "../src/push/planPush.ts";
import { push } from "../src/push/push.ts";
import { accountOf, collect, memoryContract, operator, stageOne, tableOf } from "./fixtures.ts";

async function pushed(options: { isReference?: boolean } = {}) {
  const contract = memoryContract(options);
  const table = tableOf(20);
  await collect(push(contract, await planPush(contract, stageOne, table)));
  return { contract, table };
}

describe("finalizeStage", () => {
  it("finalizes what the table says, once", async () => {
    const { contract, table } = await pushed();
    const result = await finalizeStage(contract, stageOne, { expect: table });
    expect(result.verification).toMatchObject({ agrees: true, accounts: 20 });
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true, total: table.total });
    await expect(finalizeStage(contract, stageOne, { expect: table })).rejects.toMatchObject({
      code: "STAGE_FINALIZED",
      metaMessages: [expect.stringContaining("exactly the table")],
    });
    await expect(finalizeStage(contract, stageOne, { expect: tableOf(3) })).rejects.toMatchObject({
      code: "STAGE_FINALIZED",
      metaMessages: [expect.stringContaining("does not hold")],
    });
  });

  it("refuses a table that differs by one row, and sends nothing", async () => {
    const { contract } = await pushed();
    const sent = contract.handOvers;
    const other = tableOf(20, (n) => (n === 7 ? 1n : 1_000n + BigInt(n)));
    await expect(finalizeStage(contract, stageOne, { expect: other })).rejects.toMatchObject({
      code: "VERIFY_MISMATCH",
    });
    expect(contract.handOvers).toBe(sent);
  });

  it("asks, and sends nothing without a yes", async () => {
    const { contract, table } = await pushed();
    const refused = finalizeStage(contract, stageOne, { expect: table, confirm: () => Promise.resolve(false) });
    await expect(refused).rejects.toMatchObject({ code: "CONFIRMATION_MISSING" });
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: false });
  });

  it("fails in its block when a score was written after the check", async () => {
    const { contract, table } = await pushed();
    const finalized = finalizeStage(contract, stageOne, {
      expect: table,
      confirm: () => {
        contract.tamper((state) => state.stages.get(stageOne)?.scores.set(accountOf(2), 1n));
        return Promise.resolve(true);
      },
    });
    await expect(finalized).rejects.toMatchObject({ code: "FINALIZE_MISMATCH" });
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: false });
  });

  it("works on a reference contract, and for an answer that is lost", async () => {
    const { contract, table } = await pushed({ isReference: true });
    const before = contract.handOvers;
    contract.fate = (n) => (n === before ? "lose-answer" : "take");
    await finalizeStage(contract, stageOne, { expect: table });
    expect(contract.handOvers).toBe(before + 1);
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true });
  });
});

describe("callContract", () => {
  it("adds and removes members, and tells who may not", async () => {
    const contract = memoryContract();
    await callContract(contract, { kind: "addMember", account: accountOf(3) });
    expect(await contract.getMembers()).toEqual([operator, accountOf(3)]);
    await callContract(contract, { kind: "removeMember", account: operator });
    await expect(callContract(contract, { kind: "addMember", account: accountOf(4) })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
    expect(await contract.getMembers()).toEqual([accountOf(3)]);
  });

  it("gives the state's reason when the node refuses to execute", async () => {
    const contract = memoryContract();
    contract.signer = accountOf(9);
    contract.fate = () => "execution";
    await expect(callContract(contract, { kind: "finalizeStage", stage: stageOne })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
  });
});
