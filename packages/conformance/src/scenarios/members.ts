import type { Account } from "@vipscore/core";
import { expect } from "../expect.ts";
import { inArea, onContract, onContractOf } from "../scenario.ts";
import type { Outcome } from "../sendTransaction.ts";
import type { DeployedContract, Role } from "../subject.ts";
import { accountOf, done, expectOutcome, memberPages, on, refused, scored, stateOf } from "./expectations.ts";

const batch = () => ({ kind: "updateScores", stage: 1n, rows: scored(1n) }) as const;

function add(contract: DeployedContract, role: Role) {
  return { kind: "addMember", account: contract.accountOf(role) } as const;
}

function remove(contract: DeployedContract, role: Role) {
  return { kind: "removeMember", account: contract.accountOf(role) } as const;
}

async function membersOf(contract: DeployedContract): Promise<readonly Account[]> {
  return (await stateOf(contract)).members;
}

function accounts(contract: DeployedContract, ...roles: readonly Role[]): readonly Account[] {
  return roles.map((role) => contract.accountOf(role)).sort();
}

export const memberScenarios = inArea("members", "member", {
  first: {
    name: "after a deployment only the creator and the accounts it named are members",
    rules: ["R14", "R18"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      expect(await membersOf(contract)).toEqual(accounts(contract, "creator", "alice"));
      const port = await contract.port("creator");
      for (const role of ["creator", "alice", "bob"] as const) {
        expect([role, await port.isMember(contract.accountOf(role))]).toEqual([role, role !== "bob"]);
      }
      await done(contract, "alice", batch());
    }),
  },
  added: {
    name: "an added member writes and finalizes",
    rules: ["R13", "R15"],
    run: onContract(async (contract) => {
      await refused(contract, "alice", batch(), "PERMISSION_DENIED");
      await done(contract, "creator", add(contract, "alice"));
      await done(contract, "alice", batch());
      await done(contract, "alice", { kind: "finalizeStage", stage: 1n });
    }),
  },
  removed: {
    name: "a removed member no longer writes or finalizes, and its scores stay",
    rules: ["R13", "R15"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      await done(contract, "alice", batch());
      await done(contract, "creator", remove(contract, "alice"));
      expect(await membersOf(contract)).toEqual(accounts(contract, "creator"));
      await refused(contract, "alice", batch(), "PERMISSION_DENIED");
      await refused(contract, "alice", { kind: "finalizeStage", stage: 1n }, "PERMISSION_DENIED");
      expect(await contract.read.getScore(1n, accountOf(0))).toBe(1n);
    }),
  },
  listed: {
    name: "readers list the members, after every change",
    rules: ["R18"],
    reference: "no reader lists them: an account added long ago writes scores unseen",
    run: onContract(async (contract) => {
      await done(contract, "creator", add(contract, "carol"));
      await done(contract, "creator", add(contract, "bob"));
      expect(await membersOf(contract)).toEqual(accounts(contract, "creator", "bob", "carol"));
      await done(contract, "creator", remove(contract, "carol"));
      expect(await membersOf(contract)).toEqual(accounts(contract, "creator", "bob"));
      const port = await contract.port("bob");
      expect([...((await port.getMembers()) ?? [])].sort()).toEqual(accounts(contract, "creator", "bob"));
    }),
  },
  "added-twice": {
    name: "adding an existing member changes nothing",
    rules: ["R16"],
    differences: [{ vm: "move", rule: "M10", what: "it fails, as published" }],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      const before = await stateOf(contract);
      const outcome = on<Outcome>(contract.vm, { evm: "DONE", move: "MEMBER_EXISTS", wasm: "DONE" });
      expectOutcome(await contract.call("creator", add(contract, "alice")), outcome);
      expect(await stateOf(contract)).toEqual(before);
      await done(contract, "creator", remove(contract, "alice"));
      expect(await membersOf(contract)).toEqual(accounts(contract, "creator"));
    }),
  },
  "removed-twice": {
    name: "removing a non-member changes nothing",
    rules: ["R16"],
    differences: [{ vm: "move", rule: "M10", what: "it fails, as published" }],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      const before = await stateOf(contract);
      const outcome = on<Outcome>(contract.vm, { evm: "DONE", move: "MEMBER_NOT_FOUND", wasm: "DONE" });
      expectOutcome(await contract.call("creator", remove(contract, "bob")), outcome);
      expect(await stateOf(contract)).toEqual(before);
    }),
  },
  "none-removed-of-one": {
    name: "removing a non-member does not count as removing the last member",
    rules: ["R16"],
    differences: [{ vm: "move", rule: "M10", what: "it fails, as published" }],
    run: onContract(async (contract) => {
      const outcome = on<Outcome>(contract.vm, { evm: "DONE", move: "MEMBER_NOT_FOUND", wasm: "DONE" });
      expectOutcome(await contract.call("creator", remove(contract, "bob")), outcome);
      expect(await membersOf(contract)).toEqual(accounts(contract, "creator"));
    }),
  },
  last: {
    name: "the last member cannot be removed, so that a contract never loses all writers",
    rules: ["R16", "R17"],
    reference: "on EVM and Wasm any member removes the last one, even itself, and the contract is dead",
    differences: [
      { vm: "move", rule: "M10", what: "it can be removed: publisher and owner can add another at any time" },
    ],
    run: onContract(async (contract) => {
      if (contract.vm !== "move") {
        await refused(contract, "creator", remove(contract, "creator"), "LAST_MEMBER");
        await done(contract, "creator", batch());
        return;
      }
      await done(contract, "creator", remove(contract, "creator"));
      expect(await membersOf(contract)).toEqual([]);
      await refused(contract, "creator", batch(), "PERMISSION_DENIED");
      await done(contract, "creator", add(contract, "alice"));
      await done(contract, "alice", batch());
    }),
  },
  "last-of-two": {
    name: "one of two members can be removed, then the other is the last",
    rules: ["R16"],
    differences: [{ vm: "move", rule: "M10", what: "the last member can be removed too" }],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      await done(contract, "creator", remove(contract, "creator"));
      const outcome = on<Outcome>(contract.vm, { evm: "LAST_MEMBER", move: "DONE", wasm: "LAST_MEMBER" });
      expectOutcome(await contract.call("creator", remove(contract, "alice")), outcome);
      const left = contract.vm === "move" ? [] : accounts(contract, "alice");
      expect(await membersOf(contract)).toEqual(left);
    }),
  },
  "removes-itself": {
    name: "a member may remove itself if members manage members",
    rules: ["R15", "R16"],
    differences: [{ vm: "move", rule: "M9", what: "only publisher and owner manage members" }],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      const outcome = on<Outcome>(contract.vm, { evm: "DONE", move: "PERMISSION_DENIED", wasm: "DONE" });
      expectOutcome(await contract.call("alice", remove(contract, "alice")), outcome);
      const left: readonly Role[] = contract.vm === "move" ? ["creator", "alice"] : ["creator"];
      expect(await membersOf(contract)).toEqual(accounts(contract, ...left));
    }),
  },
  replaced: {
    name: "the owner replaces all members in one call, whoever added them",
    rules: ["R15", "R16", "R22"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      const added = [7, 8, 9].map(accountOf);
      for (const account of added) await done(contract, "creator", { kind: "addMember", account });
      const bob = contract.accountOf("bob");
      await done(contract, "creator", { kind: "setMembers", accounts: [bob, accountOf(8), bob] });
      expect(await membersOf(contract)).toEqual([bob, accountOf(8)].sort());
      await done(contract, "bob", batch());
      await refused(contract, "alice", batch(), "PERMISSION_DENIED");
      // An earlier member can be added again.
      await done(contract, "creator", add(contract, "alice"));
      await done(contract, "alice", batch());
      expect(await contract.read.getMemberCount()).toBe(3);
    }),
  },
  "replaced-by-none": {
    name: "a contract is not left without members by replacing them",
    rules: ["R16", "R22"],
    differences: [{ vm: "move", rule: "M10", what: "it can be: publisher and owner can add another at any time" }],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      const outcome = on<Outcome>(contract.vm, { evm: "LAST_MEMBER", move: "DONE", wasm: "LAST_MEMBER" });
      expectOutcome(await contract.call("creator", { kind: "setMembers", accounts: [] }), outcome);
      expect(await contract.read.getMemberCount()).toBe(contract.vm === "move" ? 0 : 2);
    }),
  },
  "replaced-by-others": {
    name: "only the owner replaces all members, even while members manage members",
    rules: ["R22"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      for (const role of ["alice", "carol"] as const) {
        const taker = contract.accountOf(role);
        await refused(contract, role, { kind: "setMembers", accounts: [taker] }, "PERMISSION_DENIED");
      }
      expect(await membersOf(contract)).toEqual(accounts(contract, "creator", "alice"));
    }),
  },
  paged: {
    name: "readers count the members and read them in pages, each member once",
    rules: ["R18", "R19"],
    run: onContract(async (contract) => {
      const listed = [1, 2, 3, 4, 5].map(accountOf);
      await done(contract, "creator", { kind: "setMembers", accounts: listed });
      expect(await contract.read.getMemberCount()).toBe(5);
      const pages = await memberPages(contract.read, 2);
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
      expect([...new Set(pages.flat())].sort()).toEqual(listed.sort());
    }),
  },
  strangers: {
    name: "an account that is neither owner nor member adds and removes nobody",
    rules: ["R15"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      await refused(contract, "carol", add(contract, "carol"), "PERMISSION_DENIED");
      await refused(contract, "carol", remove(contract, "alice"), "PERMISSION_DENIED");
      expect(await (await contract.port("carol")).isManager(contract.accountOf("carol"))).toBe(false);
    }),
  },
  "members-manage": {
    name: "members add and remove members until the owner turns that off; the owner always can",
    rules: ["R15"],
    reference: "any member permanently decides who else is a member",
    differences: [
      { vm: "move", rule: "M9", what: "members never do; the publisher does, until the owner turns that off" },
    ],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      if (contract.vm === "move") {
        await refused(contract, "alice", add(contract, "bob"), "PERMISSION_DENIED");
        await done(contract, "creator", add(contract, "bob"));
        return;
      }
      await done(contract, "alice", add(contract, "bob"));
      await done(contract, "bob", remove(contract, "alice"));
      await done(contract, "creator", { kind: "setManagement", allowed: false });
      expect((await contract.read.getOwnership()).othersManage).toBe(false);
      await refused(contract, "bob", add(contract, "carol"), "PERMISSION_DENIED");
      await refused(contract, "bob", remove(contract, "bob"), "PERMISSION_DENIED");
      await done(contract, "creator", add(contract, "carol"));
      await done(contract, "creator", remove(contract, "bob"));
      await done(contract, "creator", { kind: "setManagement", allowed: true });
      await done(contract, "carol", add(contract, "alice"));
      expect(await membersOf(contract)).toEqual(accounts(contract, "creator", "alice", "carol"));
    }),
  },
  "turned-off-by-owner": {
    name: "only the owner decides whether members manage members",
    rules: ["R15"],
    differences: [{ vm: "move", rule: "M9", what: "the owner allows the publisher, not members, to manage members" }],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      for (const role of ["alice", "carol"] as const) {
        await refused(contract, role, { kind: "setManagement", allowed: false }, "PERMISSION_DENIED");
      }
    }),
  },
  "owner-manages": {
    name: "an owner who is not a member adds and removes members",
    rules: ["R15", "R17"],
    run: onContractOf({ members: ["alice"] }, async (contract) => {
      await done(contract, "creator", remove(contract, "creator"));
      await done(contract, "creator", add(contract, "bob"));
      await done(contract, "creator", remove(contract, "alice"));
      expect(await membersOf(contract)).toEqual(accounts(contract, "bob"));
      expect(await (await contract.port("creator")).isManager(contract.accountOf("creator"))).toBe(true);
    }),
  },
  "zero-address": {
    name: "the zero address as a member behaves as the interface says",
    rules: ["R15"],
    differences: [
      { vm: "evm", rule: "E3", what: "it is refused" },
      { vm: "move", rule: "M7", what: "it is an account like any other" },
      { vm: "wasm", rule: "W3", what: "20 zero bytes are an account like any other" },
    ],
    run: onContract(async (contract) => {
      const account = `0x${"00".repeat(20)}` as Account;
      const outcome = on<Outcome>(contract.vm, { evm: "INVALID_ADDRESS", move: "DONE", wasm: "DONE" });
      expectOutcome(await contract.call("creator", { kind: "addMember", account }), outcome);
      const expected = [...(outcome === "DONE" ? [account] : []), contract.accountOf("creator")];
      expect(await membersOf(contract)).toEqual(expected);
    }),
  },
});
