import { expect } from "../expect.ts";
import { inArea, onContract, onContractOf } from "../scenario.ts";
import { accountOf, done, expectStage, refused, scored, stateOf } from "./expectations.ts";
import { callsOnStage, emptyAndOpen, finalizedWith } from "./stages.ts";

const finalizeOne = { kind: "finalizeStage", stage: 1n } as const;

export const finalizeScenarios = inArea("finalize", "finalize", {
  "opens-next": {
    name: "finalizing freezes the stage with its contents and opens an empty next stage",
    rules: ["R2"],
    run: onContractOf({ scores: [1n, 2n, 3n] }, async (contract) => {
      await done(contract, "creator", finalizeOne);
      expect(await contract.read.getStage(1n)).toMatchObject(finalizedWith(6n, 3n));
      expect(await contract.read.getStage(2n)).toMatchObject(emptyAndOpen);
      await expectStage(contract, scored(1n, 2n, 3n));
    }),
  },
  empty: {
    name: "a stage without scores can be finalized",
    rules: ["R2"],
    run: onContract(async (contract) => {
      await done(contract, "creator", finalizeOne);
      expect(await contract.read.getStage(1n)).toMatchObject(finalizedWith(0n, 0n));
    }),
  },
  twice: {
    name: "a second finalize fails and leaves the next stage with its scores and its total",
    rules: ["R3"],
    reference: "on Wasm it creates the next stage again and its total becomes 0; on EVM it succeeds a second time",
    run: onContract(async (contract) => {
      await done(contract, "creator", finalizeOne);
      await done(contract, "creator", { kind: "updateScores", stage: 2n, rows: scored(40n, 2n) });
      await refused(contract, "creator", finalizeOne, "STAGE_FINALIZED");
      await expectStage(contract, scored(40n, 2n), 2n);
    }),
  },
  "twice-after-next": {
    name: "finalizing a stage again does not reopen a finalized next stage",
    rules: ["R3", "R5"],
    reference: "on Wasm the next stage, finalized and perhaps paid, is open again with total 0",
    run: onContract(async (contract) => {
      await done(contract, "creator", finalizeOne);
      await done(contract, "creator", { kind: "updateScores", stage: 2n, rows: scored(7n) });
      await done(contract, "creator", { kind: "finalizeStage", stage: 2n });
      await refused(contract, "creator", finalizeOne, "STAGE_FINALIZED");
      const late = { kind: "updateScores", stage: 2n, rows: scored(8n) } as const;
      await refused(contract, "creator", late, "STAGE_FINALIZED");
      expect(await contract.read.getStage(2n)).toMatchObject(finalizedWith(7n, 1n));
    }),
  },
  "two-members": {
    name: "of two members who finalize at the same time one succeeds",
    rules: ["R3"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      const transactions = [await contract.sign("creator", finalizeOne), await contract.sign("alice", finalizeOne)];
      const [byCreator, byAlice] = transactions;
      if (byCreator === undefined || byAlice === undefined) throw new Error("both were signed");
      const results = await Promise.all([contract.send("creator", byCreator), contract.send("alice", byAlice)]);
      expect(results.filter(({ outcome }) => outcome === "DONE")).toHaveLength(1);
      await refused(contract, "alice", finalizeOne, "STAGE_FINALIZED");
      expect((await stateOf(contract)).stages).toHaveLength(2);
    }),
  },
  "checked-after-plain": {
    name: "the checked finalize of a finalized stage fails because it is finalized, whatever it expects",
    rules: ["R3", "R10"],
    run: onContract(async (contract) => {
      await done(contract, "creator", finalizeOne);
      for (const total of [0n, 5n]) {
        const call = { kind: "finalizeStageChecked", stage: 1n, total, count: 0n, revision: 0n } as const;
        await refused(contract, "creator", call, "STAGE_FINALIZED");
      }
    }),
  },
  "plain-after-checked": {
    name: "the plain finalize after the checked one fails",
    rules: ["R3"],
    run: onContract(async (contract) => {
      await done(contract, "creator", { kind: "finalizeStageChecked", stage: 1n, total: 0n, count: 0n, revision: 0n });
      await refused(contract, "creator", finalizeOne, "STAGE_FINALIZED");
    }),
  },
  freezes: {
    name: "no call that names a finalized stage does anything",
    rules: ["R5", "R10"],
    run: onContractOf({ scores: [10n] }, async (contract) => {
      await done(contract, "creator", finalizeOne);
      for (const call of callsOnStage(1n)) await refused(contract, "creator", call, "STAGE_FINALIZED");
    }),
  },
  "stays-frozen": {
    name: "no later call changes what readers see of a finalized stage",
    rules: ["R5", "R20"],
    run: onContractOf({ scores: [10n, 20n, 30n] }, async (contract) => {
      await done(contract, "creator", finalizeOne);
      const [before] = (await stateOf(contract)).stages;
      await done(contract, "creator", { kind: "updateScores", stage: 2n, rows: scored(1n, 1n, 1n, 1n) });
      await done(contract, "creator", { kind: "decreaseScore", stage: 2n, account: accountOf(0), amount: 1n });
      await done(contract, "creator", { kind: "addMember", account: contract.accountOf("alice") });
      await done(contract, "creator", { kind: "transferOwnership", account: contract.accountOf("bob") });
      await done(contract, "bob", { kind: "acceptOwnership" });
      await done(contract, "alice", { kind: "finalizeStage", stage: 2n });
      await done(contract, "creator", { kind: "removeMember", account: contract.accountOf("alice") });
      expect((await stateOf(contract)).stages[0]).toEqual(before);
    }),
  },
  "members-only": {
    name: "only a member finalizes, not even an owner who is not a member",
    rules: ["R13", "R10"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      const calls = [
        finalizeOne,
        { kind: "finalizeStageChecked", stage: 1n, total: 0n, count: 0n, revision: 0n } as const,
      ];
      for (const call of calls) await refused(contract, "carol", call, "PERMISSION_DENIED");
      await done(contract, "creator", { kind: "removeMember", account: contract.accountOf("creator") });
      for (const call of calls) await refused(contract, "creator", call, "PERMISSION_DENIED");
      await done(contract, "alice", finalizeOne);
    }),
  },
});

/** Wrong expectations of a checked finalize on a stage with the scores 0, 10 and 20. */
const mismatches = [
  ["a total that is one too small", 29n, 3n],
  ["a total that is one too large", 31n, 3n],
  ["a count that leaves out the score of 0", 30n, 2n],
  ["a count that is one too large", 30n, 4n],
  ["total and count exchanged", 3n, 30n],
  ["nothing expected", 0n, 0n],
] as const;

export const checkedFinalizeScenarios = inArea("checked finalize", "checked", {
  agrees: {
    name: "it finalizes a stage with exactly the expected total and count, including scores of 0",
    rules: ["R4", "R7"],
    run: onContractOf({ scores: [0n, 10n, 20n] }, async (contract) => {
      await done(contract, "creator", { kind: "finalizeStageChecked", stage: 1n, total: 30n, count: 3n, revision: 1n });
      expect(await contract.read.getStage(1n)).toMatchObject(finalizedWith(30n, 3n));
      expect(await contract.read.getStage(2n)).toMatchObject({ exists: true, isFinalized: false });
    }),
  },
  differs: {
    name: "any other total or count fails and leaves the stage open",
    rules: ["R4", "R9"],
    reference: "there is no such call: any member finalizes whatever the stage holds",
    differences: [{ vm: "move", rule: "M5", what: "the abort has a code but no values, so the totals must be read" }],
    run: onContractOf({ scores: [0n, 10n, 20n] }, async (contract) => {
      for (const [, total, count] of mismatches) {
        const call = { kind: "finalizeStageChecked", stage: 1n, total, count, revision: 1n } as const;
        const { details, outcome } = await refused(contract, "creator", call, "FINALIZE_MISMATCH");
        if (contract.vm === "move" || outcome === "NO_REASON") continue;
        // It reports the expected and the actual values: the contract's total of 30 and count of 3.
        for (const number of [total, count, 30n, 3n]) expect(details).toMatch(new RegExp(`\\b${number}\\b`));
      }
    }),
  },
  empty: {
    name: "an empty stage has total 0 and count 0",
    rules: ["R4"],
    run: onContract(async (contract) => {
      const call = { kind: "finalizeStageChecked", stage: 1n, count: 0n, revision: 0n } as const;
      await refused(contract, "creator", { ...call, total: 1n }, "FINALIZE_MISMATCH");
      await done(contract, "creator", { ...call, total: 0n });
    }),
  },
  "after-a-write": {
    name: "a write by another member after the expectation was set is caught, and the right expectation then works",
    rules: ["R4"],
    run: onContractOf({ members: ["alice"], scores: [10n, 20n] }, async (contract) => {
      const expected = { kind: "finalizeStageChecked", stage: 1n, total: 30n, count: 2n, revision: 1n } as const;
      await done(contract, "alice", { kind: "updateScore", stage: 1n, account: accountOf(9), amount: 0n });
      await refused(contract, "creator", expected, "FINALIZE_MISMATCH");
      await done(contract, "creator", { ...expected, count: 3n, revision: 2n });
    }),
  },
  "caller-first": {
    name: "the caller is checked first, then the stage, then the expectation",
    rules: ["R10", "R13"],
    run: onContract(async (contract) => {
      const wrong = { kind: "finalizeStageChecked", total: 1n, count: 1n, revision: 0n } as const;
      await refused(contract, "carol", { ...wrong, stage: 9n }, "PERMISSION_DENIED");
      await refused(contract, "creator", { ...wrong, stage: 9n }, "STAGE_NOT_FOUND");
      await refused(contract, "creator", { ...wrong, stage: 1n }, "FINALIZE_MISMATCH");
    }),
  },
});
