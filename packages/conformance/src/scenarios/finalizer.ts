import { expect } from "../expect.ts";
import { inArea, onContract, onContractOf } from "../scenario.ts";
import type { DeployedContract, Role } from "../subject.ts";
import { done, refused, scored } from "./expectations.ts";

const plain = { kind: "finalizeStage", stage: 1n } as const;
const checked = { kind: "finalizeStageChecked", stage: 1n, total: 0n, count: 0n, revision: 0n } as const;

function name(contract: DeployedContract, role: Role | undefined) {
  return { kind: "setFinalizer", account: role && contract.accountOf(role) } as const;
}

async function expectFinalizer(contract: DeployedContract, role: Role | undefined): Promise<void> {
  const { finalizer } = await contract.read.getOwnership();
  expect(finalizer).toBe(role && contract.accountOf(role));
}

export const finalizerScenarios = inArea("finalizer", "finalizer", {
  none: {
    name: "by default, with no finalizer set, every member finalizes",
    rules: ["R13"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      await expectFinalizer(contract, undefined);
      await refused(contract, "carol", plain, "PERMISSION_DENIED");
      await done(contract, "alice", plain);
    }),
  },
  alone: {
    name: "only the finalizer finalizes, member or not, in every form of the call, and each stage once",
    rules: ["R10", "R13"],
    reference: "anyone with one member's key can close the stages of the coming years, one after the other",
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      await done(contract, "creator", name(contract, "bob"));
      await expectFinalizer(contract, "bob");
      for (const role of ["creator", "alice", "carol"] as const) {
        for (const call of [plain, checked]) await refused(contract, role, call, "PERMISSION_DENIED");
      }
      // The caller counts before the stage.
      await refused(contract, "creator", { ...checked, stage: 9n }, "PERMISSION_DENIED");
      await done(contract, "bob", plain);
      // Which opens nothing either.
      await refused(contract, "bob", plain, "STAGE_FINALIZED");
      const late = { kind: "updateScores", stage: 1n, rows: scored(1n) } as const;
      await refused(contract, "alice", late, "STAGE_FINALIZED");
      await done(contract, "bob", { ...checked, stage: 2n });
      await done(contract, "bob", { ...checked, stage: 3n });
      expect(await contract.read.getStage(4n)).toMatchObject({ exists: true, isFinalized: false });
    }),
  },
  "no-writer": {
    name: "a finalizer who is not a member writes no scores and manages no members",
    rules: ["R13", "R15"],
    run: onContract(async (contract) => {
      await done(contract, "creator", name(contract, "bob"));
      const rows = scored(1n);
      await refused(contract, "bob", { kind: "updateScores", stage: 1n, rows }, "PERMISSION_DENIED");
      const add = { kind: "addMember", account: contract.accountOf("bob") } as const;
      await refused(contract, "bob", add, "PERMISSION_DENIED");
      await done(contract, "creator", add);
      await done(contract, "bob", { kind: "updateScores", stage: 1n, rows });
      await done(contract, "bob", { ...checked, total: 1n, count: 1n, revision: 1n });
    }),
  },
  replaced: {
    name: "the owner sets another finalizer, or allows any member again, and the former finalizer no longer finalizes",
    rules: ["R13"],
    run: onContract(async (contract) => {
      await done(contract, "creator", name(contract, "bob"));
      await done(contract, "creator", name(contract, "carol"));
      await refused(contract, "bob", plain, "PERMISSION_DENIED");
      await done(contract, "creator", name(contract, undefined));
      await expectFinalizer(contract, undefined);
      await refused(contract, "carol", plain, "PERMISSION_DENIED");
      await done(contract, "creator", plain);
    }),
  },
  "named-by-owner": {
    name: "only the owner sets the finalizer: not a member, the finalizer or a former owner",
    rules: ["R13", "R14"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      await refused(contract, "alice", name(contract, "alice"), "PERMISSION_DENIED");
      await done(contract, "creator", name(contract, "bob"));
      await refused(contract, "bob", name(contract, undefined), "PERMISSION_DENIED");
      await done(contract, "creator", { kind: "transferOwnership", account: contract.accountOf("carol") });
      await done(contract, "carol", { kind: "acceptOwnership" });
      await refused(contract, "creator", name(contract, "creator"), "PERMISSION_DENIED");
      await expectFinalizer(contract, "bob");
      await done(contract, "carol", name(contract, "carol"));
      await refused(contract, "bob", plain, "PERMISSION_DENIED");
      await done(contract, "carol", plain);
    }),
  },
});
