import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeOf, type CliResult, type TestFolder } from "./harness.ts";
import { setStage, useRollup, type LocalL1 } from "./localL1.ts";
import { addresses } from "./proposalL1.ts";
import { bridgeAddress, contractFields, settingsOf } from "./proposalSettings.ts";

const register = ["proposal", "register", "--settings", "proposal.json"];
const replace = ["proposal", "contract", "--settings", "contract.json"];
let l1: LocalL1;
let folder: TestFolder;
const bridgeId = 21n;
const inDays = (days: number): bigint => BigInt(Math.floor(Date.now() / 1000) + days * 86_400);
useRollup({ vm: "wasm", bridge: { id: bridgeId, address: bridgeAddress } }, async (...started) => {
  [l1, folder] = started;
});

/** Deploys another contract each time. */
const deploy = (initStage: number): Promise<string> => folder.deploy(initStage, ["--label", randomUUID()]);

/** Proposes a contract as the rollup's first one, or instead of it. */
async function propose(args: readonly string[], contract: string, more: object = {}): Promise<CliResult> {
  await folder.write("proposal.json", settingsOf(contract, bridgeId, more));
  await folder.write("contract.json", settingsOf(contract, bridgeId, { ...contractFields, ...more }));
  await rm(join(folder.cwd, "tx.json"), { force: true });
  return folder.cli([...args, "--out", "tx.json", "--json"]);
}

test("the first stage of a rollup to register: a contract that starts after it is refused", async () => {
  // The vote takes a moment, so L1 is at stage 5 when it executes.
  await setStage(l1, 5n, inDays(10));
  const late = await propose(register, await deploy(9));
  expect(codeOf(late)).toBe("FIRST_STAGE_LATE");
  const next = await deploy(7);
  expect(codeOf(await propose(register, next))).toBe("FIRST_STAGE_LATE");
  // A deposit that others must complete, within two days.
  await setStage(l1, 5n, inDays(1));
  const open = await propose(register, next, { deposit: "1umin" });
  expect(open.status).toBe(0);
  expect(open.stderr).toMatch(/^warning .*\bstage 7\b.*\bstage 6\b/m);
  await setStage(l1, 5n, inDays(10));
});

test("the first stage of a rollup to register: one that starts at it or before is accepted, and nothing is to be finalized on a guess", async () => {
  const exact = await propose(register, await deploy(6));
  expect([exact.status, exact.stderr]).toEqual([0, expect.not.stringContaining("warning")]);
  const early = await propose(register, await deploy(3));
  expect(early.status).toBe(0);
  expect(early.stderr).toMatch(/^warning .*\bStage 3 is open\b.*\bstage 6 if\b.*\bbefore L1 shows it$/m);
  // The same where L1 is overdue: the vote executes in stage 5 or in stage 6.
  await setStage(l1, 5n);
  const overdue = await propose(register, await deploy(5));
  expect(overdue.stderr).toMatch(/^warning .*\bstage 6 if\b.*\bstage 7 if\b.*\bbefore L1 shows it$/m);
  await setStage(l1, 5n, inDays(10));
});

test("the next stage of a registered rollup is the first without a snapshot", async () => {
  await setStage(l1, 3n);
  await l1.register(bridgeId, "init1old", 1n);
  for (let stage = 3; stage < 6; stage += 1) await l1.call("advance_stage");
  const five = await deploy(5);
  expect(codeOf(await propose(replace, five))).toBe("FIRST_STAGE_LATE");
  const four = await deploy(4);
  const accepted = await propose(replace, four);
  expect([accepted.status, accepted.stderr]).toEqual([0, expect.not.stringContaining("warning")]);
  await l1.submit(bridgeId, 4n, "ab".repeat(32), 1n);
  expect((await propose(replace, five)).status).toBe(0);
  expect((await propose(replace, four)).stderr).toMatch(/^warning .*\bstage 5\b.*\b1 stage\b/m);
});

test("the next stage of a registered rollup: one that the replacement finalized without scores", async () => {
  const contract = await deploy(4);
  const zero = await folder.write("zero.csv", `address,score\n${addresses.operator},0\n`);
  for (const number of ["4", "5"]) {
    await folder.ok(["push", zero, "--stage", number, "--contract", contract]);
    await folder.ok(["finalize", "--stage", number, "--file", zero, "--contract", contract, "--yes"]);
  }
  const result = await propose(replace, contract);
  expect(result.status).toBe(0);
  // L1 has a snapshot of stage 4.
  expect(result.stderr).toMatch(/^warning .*\bstage 5\b/m);
  expect(result.stderr).not.toMatch(/\bstage 4\b/);
});
