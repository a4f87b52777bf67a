import {
  finalizeStage,
  planPush,
  push,
  ScoreTable,
  stage as stageOf,
  type PlanPushOptions,
  type PushEvent,
  type ScoreContract,
} from "@vipscore/core";
import { expect } from "../expect.ts";
import { inArea, onContract } from "../scenario.ts";
import { done, expectStage, rowsOf } from "./expectations.ts";

const one = stageOf(1n);

/** Plans and pushes a table to stage 1, and returns everything that the push reported. */
async function pushAll(
  port: ScoreContract,
  table: ScoreTable,
  options: PlanPushOptions = {},
): Promise<readonly PushEvent[]> {
  const events: PushEvent[] = [];
  const plan = await planPush(port, one, table, options);
  for await (const event of push(port, plan, options)) events.push(event);
  return events;
}

/** What a contract must allow to our client; what the client does itself is tested with its adapters. */
export const clientScenarios = inArea("client", "client", {
  "push-verify-finalize": {
    name: "a table is pushed, verified and finalized, and the next stage is open",
    rules: ["R2", "R4", "R7"],
    run: onContract(async (contract) => {
      const port = await contract.port("creator");
      const table = ScoreTable.from(rowsOf(120));
      // A contract may need more gas than the client's model says: a batch that runs out of it is sent again.
      const events = await pushAll(port, table);
      expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: 120 } });
      const { verification } = await finalizeStage(port, one, { expect: table });
      expect(verification).toMatchObject({ agrees: true, total: { contract: table.total, rows: table.total } });
      await expectStage(contract, rowsOf(120));
      expect(await contract.read.getStage(1n)).toMatchObject({ isFinalized: true });
      expect(await contract.read.getStage(2n)).toMatchObject({ exists: true, isFinalized: false });
    }),
  },
  "two-keys": {
    name: "one key pushes and the finalizer's key finalizes: neither may do what the other does, and both are refused before anything is sent",
    rules: ["R13", "R21"],
    run: onContract(async (contract) => {
      const [member, finalizer] = [await contract.port("creator"), await contract.port("bob")];
      const account = contract.accountOf("bob");
      await done(contract, "creator", { kind: "setFinalizer", account });
      expect(await member.getControl()).toMatchObject({ owner: contract.accountOf("creator"), finalizer: account });
      const table = ScoreTable.from(rowsOf(4));
      const sequences = async () => [await member.getSequence(), await finalizer.getSequence()];
      const before = await sequences();
      await expect(pushAll(finalizer, table)).toReject({ code: "PERMISSION_DENIED" });
      expect(await sequences()).toEqual(before);
      await pushAll(member, table);
      const pushed = await sequences();
      await expect(finalizeStage(member, one, { expect: table })).toReject({ code: "PERMISSION_DENIED" });
      expect(await sequences()).toEqual(pushed);
      const { verification } = await finalizeStage(finalizer, one, { expect: table });
      expect(verification).toMatchObject({ agrees: true, isFinalized: true, revision: 1n });
    }),
  },
  packed: {
    name: "a packed push writes and verifies the same table, and only what differs",
    rules: ["R6", "R12"],
    run: onContract(async (contract) => {
      const port = await contract.port("creator");
      await pushAll(port, ScoreTable.from(rowsOf(10)));
      const rows = [...rowsOf(5).map(({ account }) => ({ account, score: 0n })), ...rowsOf(14).slice(5)];
      const table = ScoreTable.from(rows);
      const plan = await planPush(port, one, table, { packed: true, compareEntryPoints: true });
      expect(plan.counts).toEqual({ add: 4, change: 5, unchanged: 5, toZero: 0, extra: 0 });
      await pushAll(port, table, { packed: true });
      await expectStage(contract, rows);
    }),
  },
});
