import { expect } from "../expect.ts";
import { inArea, onContract, onContractOf } from "../scenario.ts";
import type { DeployedContract, Role } from "../subject.ts";
import { done, refused } from "./expectations.ts";

function offer(contract: DeployedContract, role: Role) {
  return { kind: "transferOwnership", account: contract.accountOf(role) } as const;
}

const accept = { kind: "acceptOwnership" } as const;

async function expectOwner(contract: DeployedContract, owner: Role, pending?: Role): Promise<void> {
  expect(await contract.read.getOwnership()).toMatchObject({
    owner: contract.accountOf(owner),
    pendingOwner: pending === undefined ? undefined : contract.accountOf(pending),
  });
}

export const ownerScenarios = inArea("owner", "owner", {
  first: {
    name: "the creator is the owner, and ownership is offered to nobody",
    rules: ["R14", "R18"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      await expectOwner(contract, "creator");
      expect((await contract.read.getOwnership()).othersManage).toBe(true);
    }),
  },
  "two-steps": {
    name: "ownership passes once it is offered and accepted, not before",
    rules: ["R14"],
    reference: "there is no owner: a mistake in the flat list of members is permanent",
    run: onContract(async (contract) => {
      await done(contract, "creator", offer(contract, "alice"));
      await expectOwner(contract, "creator", "alice");
      const call = { kind: "addMember", account: contract.accountOf("bob") } as const;
      await refused(contract, "alice", call, "PERMISSION_DENIED");
      await done(contract, "alice", accept);
      await expectOwner(contract, "alice");
      await done(contract, "alice", call);
      await done(contract, "alice", offer(contract, "bob"));
      await done(contract, "bob", accept);
      await expectOwner(contract, "bob");
    }),
  },
  "accepted-by-others": {
    name: "nobody, not even the owner, accepts ownership that was not offered, or accepts it twice",
    rules: ["R14"],
    run: onContract(async (contract) => {
      await refused(contract, "alice", accept, "PERMISSION_DENIED");
      await done(contract, "creator", offer(contract, "alice"));
      await refused(contract, "bob", accept, "PERMISSION_DENIED");
      await refused(contract, "creator", accept, "PERMISSION_DENIED");
      await done(contract, "alice", accept);
      await refused(contract, "alice", accept, "PERMISSION_DENIED");
    }),
  },
  "offered-by-others": {
    name: "only the owner offers ownership, neither a member nor a stranger",
    rules: ["R14"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      for (const role of ["alice", "carol"] as const) {
        await refused(contract, role, offer(contract, role), "PERMISSION_DENIED");
      }
    }),
  },
  "later-offer": {
    name: "a later offer replaces an earlier one",
    rules: ["R14"],
    run: onContract(async (contract) => {
      await done(contract, "creator", offer(contract, "alice"));
      await done(contract, "creator", offer(contract, "bob"));
      await expectOwner(contract, "creator", "bob");
      await refused(contract, "alice", accept, "PERMISSION_DENIED");
      await done(contract, "bob", accept);
      await expectOwner(contract, "bob");
    }),
  },
  withdrawn: {
    name: "an offer is taken back by offering ownership to oneself",
    rules: ["R14"],
    run: onContract(async (contract) => {
      await done(contract, "creator", offer(contract, "alice"));
      await done(contract, "creator", offer(contract, "creator"));
      await refused(contract, "alice", accept, "PERMISSION_DENIED");
      await done(contract, "creator", accept);
      await expectOwner(contract, "creator");
    }),
  },
  "former-owner": {
    name: "a former owner has no more rights than any member",
    rules: ["R14", "R15"],
    differences: [
      { vm: "move", rule: "M9", what: "the publisher manages members, member or not, until the owner ends it" },
    ],
    run: onContractOf({ members: ["bob"] }, async (contract) => {
      await done(contract, "creator", offer(contract, "alice"));
      await done(contract, "alice", accept);
      await refused(contract, "creator", offer(contract, "creator"), "PERMISSION_DENIED");
      const call = { kind: "removeMember", account: contract.accountOf("bob") } as const;
      await refused(contract, "creator", { kind: "setManagement", allowed: true }, "PERMISSION_DENIED");
      await done(contract, "alice", { kind: "setManagement", allowed: false });
      await refused(contract, "creator", call, "PERMISSION_DENIED");
      await done(contract, "alice", call);
    }),
  },
  "no-member": {
    name: "a new owner does not become a member, and the former owner remains a member",
    rules: ["R13", "R14"],
    run: onContract(async (contract) => {
      await done(contract, "creator", offer(contract, "alice"));
      await done(contract, "alice", accept);
      await refused(contract, "alice", { kind: "finalizeStage", stage: 1n }, "PERMISSION_DENIED");
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
    }),
  },
  "given-up": {
    name: "ownership cannot be given up",
    rules: ["R17"],
    differences: [
      {
        vm: "evm",
        rule: "E5",
        what: "OpenZeppelin's function exists and always fails, with an error that has no code",
      },
      { vm: "move", rule: "M9", what: "it cannot be given up at all: there is no such function" },
      { vm: "wasm", rule: "W10", what: "it cannot be given up at all: there is no such message" },
    ],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      if (contract.vm !== "evm") {
        await expect(contract.sign("creator", { kind: "renounceOwnership" })).toReject({ name: "NoSuchCall" });
        await expectOwner(contract, "creator");
        return;
      }
      for (const allowed of [false, true]) {
        await done(contract, "creator", { kind: "setManagement", allowed });
        await refused(contract, "creator", { kind: "renounceOwnership" }, "TRANSACTION_FAILED");
      }
      await expectOwner(contract, "creator");
    }),
  },
});
