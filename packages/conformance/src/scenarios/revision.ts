import { expect } from "../expect.ts";
import { inArea, onContract, onContractOf } from "../scenario.ts";
import type { DeployedContract } from "../subject.ts";
import { accountOf, done, refused, scored } from "./expectations.ts";

async function expectRevision(contract: DeployedContract, revision: bigint, stage = 1n): Promise<void> {
  expect(await contract.read.getStage(stage)).toMatchObject({ revision });
}

export const revisionScenarios = inArea("revision", "revision", {
  counts: {
    name: "every call that writes rows raises the stage's revision by one, whatever it writes",
    rules: ["R21"],
    run: onContract(async (contract) => {
      await expectRevision(contract, 0n);
      const account = accountOf(1);
      const calls = [
        { kind: "updateScores", stage: 1n, rows: scored(10n, 20n, 30n) },
        { kind: "updateScores", stage: 1n, rows: scored(10n, 20n, 30n) },
        { kind: "updateScore", stage: 1n, account, amount: 5n },
        { kind: "increaseScore", stage: 1n, account, amount: 0n },
        { kind: "decreaseScore", stage: 1n, account, amount: 5n },
        { kind: "updateScoresPacked", stage: 1n, rows: scored(1n, 2n) },
      ] as const;
      for (const [index, call] of calls.entries()) {
        await done(contract, "creator", call);
        await expectRevision(contract, BigInt(index + 1));
      }
    }),
  },
  "no-rows": {
    name: "a call without rows, a failed call and a finalize do not change the revision, and the next stage starts at 0",
    rules: ["R9", "R21"],
    run: onContractOf({ scores: [1n] }, async (contract) => {
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: [] });
      await done(contract, "creator", { kind: "updateScoresPacked", stage: 1n, rows: [] });
      await refused(contract, "carol", { kind: "updateScores", stage: 1n, rows: scored(2n) }, "PERMISSION_DENIED");
      await done(contract, "creator", { kind: "addMember", account: contract.accountOf("alice") });
      await expectRevision(contract, 1n);
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      await expectRevision(contract, 1n);
      await expectRevision(contract, 0n, 2n);
    }),
  },
  expected: {
    name: "the checked finalize accepts only the stage's revision, total and count",
    rules: ["R4", "R21"],
    run: onContractOf({ scores: [10n, 20n] }, async (contract) => {
      const right = { kind: "finalizeStageChecked", stage: 1n, total: 30n, count: 2n, revision: 1n } as const;
      for (const wrong of [{ revision: 0n }, { revision: 2n }, { total: 29n }, { count: 3n }]) {
        await refused(contract, "creator", { ...right, ...wrong }, "FINALIZE_MISMATCH");
      }
      await done(contract, "creator", right);
      expect(await contract.read.getStage(1n)).toMatchObject({ isFinalized: true, revision: 1n });
    }),
  },
  swapped: {
    name: "scores that are exchanged, and even exchanged back, after the revision was read stop the finalize",
    rules: ["R4", "R21"],
    reference: "the stage is finalized with the exchanged scores, and they are paid",
    run: onContractOf({ members: ["alice"], scores: [10n, 20n] }, async (contract) => {
      const read = { kind: "finalizeStageChecked", stage: 1n, total: 30n, count: 2n, revision: 1n } as const;
      await done(contract, "alice", { kind: "updateScores", stage: 1n, rows: scored(20n, 10n) });
      await refused(contract, "creator", read, "FINALIZE_MISMATCH");
      await done(contract, "alice", { kind: "updateScores", stage: 1n, rows: scored(10n, 20n) });
      await refused(contract, "creator", read, "FINALIZE_MISMATCH");
      await done(contract, "creator", { ...read, revision: 3n });
    }),
  },
});
