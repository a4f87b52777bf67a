import { expect } from "../expect.ts";
import { inArea, onContract, onContractOf } from "../scenario.ts";
import { accountOf, done, expectOutcome, expectStage, rowsOf, scored, stateOf } from "./expectations.ts";

export const idempotenceScenarios = inArea("idempotence", "again", {
  "same-batch": {
    name: "writing the same batch twice leaves the same state as once, and the revision counts both",
    rules: ["R6", "R7", "R21"],
    run: onContract(async (contract) => {
      const call = { kind: "updateScores", stage: 1n, rows: rowsOf(20) } as const;
      await done(contract, "creator", call);
      const before = await stateOf(contract);
      await done(contract, "creator", call);
      const after = await stateOf(contract);
      expect(after.stages.map(({ revision }) => revision)).toEqual([2n]);
      const { stages, ...others } = before;
      expect(after).toEqual({ ...others, stages: [{ ...stages[0], revision: 2n }] });
    }),
  },
  "same-bytes": {
    name: "a batch whose signed bytes are sent again is written once, even if it is not absolute",
    rules: ["R6"],
    run: onContract(async (contract) => {
      const call = { kind: "increaseScore", stage: 1n, account: accountOf(0), amount: 5n } as const;
      const transaction = await contract.sign("creator", call);
      for (let times = 0; times < 3; times += 1) {
        expectOutcome(await contract.send("creator", transaction), "DONE");
      }
      await expectStage(contract, scored(5n));
    }),
  },
  "finalize-same-bytes": {
    name: "a finalize whose signed bytes are sent again after a timeout happens once",
    rules: ["R3"],
    reference: "on Wasm a retried finalize is enough to lose the next stage",
    run: onContractOf({ scores: [1n] }, async (contract) => {
      const transaction = await contract.sign("creator", { kind: "finalizeStage", stage: 1n });
      expectOutcome(await contract.send("creator", transaction), "DONE");
      await done(contract, "creator", { kind: "updateScores", stage: 2n, rows: scored(3n, 4n) });
      const before = await stateOf(contract);
      // The answer repeats that the first one succeeded; nothing ran.
      expectOutcome(await contract.send("creator", transaction), "DONE");
      expect(await stateOf(contract)).toEqual(before);
    }),
  },
  "finalize-new-bytes": {
    name: "a finalize that is signed again after a timeout fails in its block, and the next stage is intact",
    rules: ["R3"],
    reference: "on Wasm it succeeds and the next stage's total becomes 0",
    run: onContract(async (contract) => {
      const call = { kind: "finalizeStage", stage: 1n } as const;
      const first = await contract.sign("creator", call);
      const second = await contract.sign("creator", call, 1n);
      expectOutcome(await contract.send("creator", first), "DONE");
      expectOutcome(await contract.send("creator", second), "STAGE_FINALIZED");
      expect((await stateOf(contract)).stages).toHaveLength(2);
    }),
  },
});
