import { describe, expect, it } from "vitest";
import { accountOf, collect, memoryContract, operator, stageOne, tableOf } from "../../test/fixtures.ts";
import type { MemoryScoreContract } from "../../test/memoryScoreContract.ts";
import type { Account } from "../account.ts";
import { formatBech32 } from "../account/readAccount.ts";
import { exitStatusOf } from "../errors/errorCodes.ts";
import { callContract, checkCall } from "./callContract.ts";
import { finalizeStage } from "./finalizeStage.ts";
import { planPush } from "./planPush.ts";
import { push } from "./push.ts";
import type { VerificationError } from "./verificationError.ts";

async function pushed(options: Parameters<typeof memoryContract>[0] = {}) {
  const contract = memoryContract(options);
  const table = tableOf(20);
  await collect(push(contract, await planPush(contract, stageOne, table)));
  return { contract, table };
}

/** Exchanges two scores, as another member would: the total and the number of accounts stay, the revision rises. */
function swapScores(stage: { revision: bigint; readonly scores: Map<Account, bigint> }): void {
  const { scores } = stage;
  const [one, two] = [scores.get(accountOf(1))!, scores.get(accountOf(2))!];
  scores.set(accountOf(1), two).set(accountOf(2), one);
  stage.revision += 1n;
}

function swap(contract: MemoryScoreContract): void {
  contract.tamper((state) => swapScores(state.stages.get(stageOne)!));
}

describe("finalizeStage", () => {
  it("finalizes a stage that holds the table, once", async () => {
    const { contract, table } = await pushed();
    const result = await finalizeStage(contract, stageOne, { expect: table });
    expect(result.verification).toMatchObject({ agrees: true, isFinalized: true, accounts: 20 });
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true, total: table.total });
    const sent = contract.submissions;
    const again = await finalizeStage(contract, stageOne, { expect: table });
    expect(again).toMatchObject({ transaction: undefined, verification: { agrees: true, isFinalized: true } });
    expect(contract.submissions).toBe(sent);
    await expect(finalizeStage(contract, stageOne, { expect: tableOf(3) })).rejects.toMatchObject({
      code: "STAGE_FINALIZED",
      metaMessages: expect.arrayContaining([
        expect.stringContaining(tableOf(3).digest()),
        expect.stringContaining(table.digest()),
      ]) as unknown,
    });
  });

  it("refuses a table that differs by one row, and sends nothing", async () => {
    const { contract } = await pushed();
    const sent = contract.submissions;
    const other = tableOf(20, (n) => (n === 7 ? 1n : 1_000n + BigInt(n)));
    await expect(finalizeStage(contract, stageOne, { expect: other })).rejects.toMatchObject({
      code: "VERIFY_MISMATCH",
    });
    expect(contract.submissions).toBe(sent);
  });

  it("asks for confirmation, and sends nothing without it", async () => {
    const { contract, table } = await pushed();
    const refused = finalizeStage(contract, stageOne, { expect: table, confirm: () => Promise.resolve(false) });
    await expect(refused).rejects.toMatchObject({ code: "CONFIRMATION_MISSING" });
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: false });
  });

  it("verifies again after the confirmation, and sends nothing if scores were swapped meanwhile", async () => {
    for (const isReference of [false, true]) {
      const { contract, table } = await pushed({ isReference });
      const sent = contract.submissions;
      const finalized = finalizeStage(contract, stageOne, {
        expect: table,
        confirm: () => {
          swap(contract);
          return Promise.resolve(true);
        },
      });
      await expect(finalized).rejects.toMatchObject({ code: "VERIFY_MISMATCH", verification: { isFinalized: false } });
      expect(contract.submissions).toBe(sent);
    }
  });

  it("needs no transaction if another program finalized the stage with the same scores", async () => {
    const { contract, table } = await pushed();
    const finalize = (): void => contract.tamper((state) => void (state.stages.get(stageOne)!.isFinalized = true));
    const duringQuestion = await finalizeStage(contract, stageOne, {
      expect: table,
      confirm: () => {
        finalize();
        return Promise.resolve(true);
      },
    });
    expect(duringQuestion.transaction).toBeUndefined();

    const second = await pushed();
    second.contract.beforeExecute = (_, state) => void (state.stages.get(stageOne)!.isFinalized = true);
    const { transaction } = await finalizeStage(second.contract, stageOne, { expect: second.table });
    expect(transaction).toBeUndefined();
  });

  it("fails in its block when the total changed after the check", async () => {
    const { contract, table } = await pushed();
    contract.beforeExecute = (_, state) => void state.stages.get(stageOne)?.scores.set(accountOf(2), 1n);
    await expect(finalizeStage(contract, stageOne, { expect: table })).rejects.toMatchObject({
      code: "FINALIZE_MISMATCH",
    });
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: false });
  });

  it("fails in its block when scores were swapped after the check, and says that only they changed", async () => {
    const { contract, table } = await pushed();
    const before = await contract.getStage(stageOne);
    contract.beforeExecute = (_, state) => swapScores(state.stages.get(stageOne)!);
    const { total, count, revision = 0n } = before!;
    const revisions = new RegExp(`\\bstage 1\\b.*\\b${revision + 1n}\\b.*\\b${revision}\\b`);
    await expect(finalizeStage(contract, stageOne, { expect: table })).rejects.toMatchObject({
      code: "FINALIZE_MISMATCH",
      shortMessage: expect.stringMatching(revisions) as unknown,
    });
    expect(await contract.getStage(stageOne)).toMatchObject({
      isFinalized: false,
      total,
      count,
      revision: revision + 1n,
    });
  });

  it("needs no receipt: state shows that it finalized, or why not", async () => {
    const { contract, table } = await pushed();
    contract.isIndexed = false;
    const other = await pushed();
    other.contract.isIndexed = false;
    other.contract.beforeExecute = (_, state) => swapScores(state.stages.get(stageOne)!);
    await expect(finalizeStage(other.contract, stageOne, { expect: table })).rejects.toMatchObject({
      code: "FINALIZE_MISMATCH",
    });
    const { transaction, verification } = await finalizeStage(contract, stageOne, { expect: table });
    expect(transaction).toMatchObject({ height: contract.newest, gasUsed: undefined });
    expect(verification).toMatchObject({ agrees: true, isFinalized: true });
  });

  it("expects revision 0 of a stage that nobody wrote", async () => {
    const contract = memoryContract();
    contract.beforeExecute = (_, state) => {
      const stage = state.stages.get(stageOne)!;
      stage.scores.set(accountOf(1), 7n);
      stage.revision += 1n;
    };
    await expect(finalizeStage(contract, stageOne, { expect: tableOf(0) })).rejects.toMatchObject({
      code: "FINALIZE_MISMATCH",
    });
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: false });
  });

  it("expects the revision of the rows that it compared, not one that was read later", async () => {
    const { contract, table } = await pushed();
    const read = contract.getStage.bind(contract);
    // Any read after the rows shows a later write.
    contract.getStage = async (stage, options) => {
      const info = await read(stage, options);
      return info !== undefined && options?.height === undefined ? { ...info, revision: 99n } : info;
    };
    await finalizeStage(contract, stageOne, { expect: table });
    expect(await read(stageOne)).toMatchObject({ isFinalized: true });
  });

  it("says that the change is final if a reference contract was written right before the block", async () => {
    const { contract, table } = await pushed({ isReference: true });
    contract.beforeExecute = (_, state) => swapScores(state.stages.get(stageOne)!);
    const error = await finalizeStage(contract, stageOne, { expect: table }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "FINALIZED_OTHER_SCORES",
      verification: { isFinalized: true, agrees: false, digest: { expected: table.digest() } },
    });
    const { verification, message } = error as VerificationError;
    expect(verification.differences).toHaveLength(2);
    expect(message).toContain(verification.digest.expected);
    expect(message).toContain(verification.digest.actual);
    expect(exitStatusOf("FINALIZED_OTHER_SCORES")).toBe(3);
  });

  it("works on a reference contract, and if an answer is lost", async () => {
    const { contract, table } = await pushed({ isReference: true });
    const before = contract.submissions;
    contract.fate = (n) => (n === before ? "lose-answer" : "take");
    await finalizeStage(contract, stageOne, { expect: table });
    expect(contract.submissions).toBe(before + 1);
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true });
  });
});

describe("a contract with a finalizer", () => {
  const auditor = accountOf(77);

  it("is finalized only by the finalizer, which is not a member, and pushed only by members", async () => {
    const { contract, table } = await pushed();
    await callContract(contract, { kind: "setFinalizer", account: auditor });
    const sent = contract.submissions;
    const denied = finalizeStage(contract, stageOne, { expect: table });
    await expect(denied).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
      shortMessage: expect.stringContaining(auditor) as unknown,
    });
    expect(contract.submissions).toBe(sent);
    contract.signer = auditor;
    await expect(planPush(contract, stageOne, table)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await finalizeStage(contract, stageOne, { expect: table });
    expect(await contract.getStage(stageOne)).toMatchObject({ isFinalized: true });
  });

  it("reports the reason if another account becomes the finalizer before the block", async () => {
    const { contract, table } = await pushed();
    contract.beforeExecute = (_, state) => void (state.finalizer = auditor);
    await expect(finalizeStage(contract, stageOne, { expect: table })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
      shortMessage: expect.stringContaining(auditor) as unknown,
    });
  });
});

describe("checkCall", () => {
  it("refuses calls that a reference contract does not support or the signer may not make", async () => {
    const reference = memoryContract({ isReference: true });
    for (const call of [
      { kind: "setMembers", accounts: [operator] },
      { kind: "setFinalizer", account: operator },
      { kind: "setManagement", allowed: false },
      { kind: "offerOwnership", account: accountOf(3) },
      { kind: "acceptOwnership" },
    ] as const) {
      await expect(checkCall(reference, call)).rejects.toMatchObject({ code: "NOT_SUPPORTED" });
    }
    const contract = memoryContract();
    await expect(checkCall(contract, { kind: "acceptOwnership" })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    contract.signer = accountOf(9);
    for (const call of [
      { kind: "setMembers", accounts: [accountOf(9)] },
      { kind: "setFinalizer", account: undefined },
      { kind: "setManagement", allowed: false },
      { kind: "offerOwnership", account: accountOf(9) },
      { kind: "addMember", account: accountOf(9) },
    ] as const) {
      await expect(checkCall(contract, call)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    }
  });
});

describe("callContract", () => {
  it("adds and removes members, and reports who may not", async () => {
    const contract = memoryContract();
    await callContract(contract, { kind: "addMember", account: formatBech32(accountOf(3)) });
    expect(await contract.getMembers()).toEqual([operator, accountOf(3)]);
    await callContract(contract, { kind: "removeMember", account: operator });
    await expect(callContract(contract, { kind: "addMember", account: accountOf(4) })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
    expect(await contract.getMembers()).toEqual([accountOf(3)]);
  });

  it("needs no receipt: state shows the effect of a call, or only a receipt decides", async () => {
    const contract = memoryContract();
    contract.isIndexed = false;
    const member = accountOf(3);
    for (const call of [
      { kind: "addMember", account: member },
      { kind: "removeMember", account: member },
      { kind: "setMembers", accounts: [member, operator] },
      { kind: "setFinalizer", account: member },
      { kind: "setFinalizer", account: undefined },
    ] as const) {
      expect(await callContract(contract, call)).toMatchObject({ gasUsed: undefined, height: contract.newest });
    }
    contract.realGas = { base: 10_000_000n, row: 0n };
    await expect(callContract(contract, { kind: "addMember", account: accountOf(4) })).rejects.toMatchObject({
      code: "TX_INDEX_OFF",
      txHash: expect.any(String) as string,
    });
  });

  it("reports the reason from state when the node refuses to execute", async () => {
    const contract = memoryContract();
    contract.signer = accountOf(9);
    contract.fate = () => "execution";
    await expect(callContract(contract, { kind: "finalizeStage", stage: stageOne })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
  });
});
