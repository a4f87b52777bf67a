import type { Account, ErrorCode, Vm } from "@vipscore/core";
import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { CallResult, DeployedContract, Outcome, Ownership, Role, StageView } from "../subject.ts";
import type { Row, SubjectCall } from "../subjectCall.ts";

/** The same pseudo-random accounts in every run, of 20 bytes. */
export function accountOf(index: number): Account {
  return `0x${digest(index).slice(0, 40)}` as Account;
}

/** As {@link accountOf}, of 32 bytes. */
export function longAccountOf(index: number): Account {
  return `0x${digest(index)}` as Account;
}

function digest(index: number): string {
  return createHash("sha256").update(`scored account ${index}`).digest("hex");
}

/** `count` rows with the scores 1000, 1001, … */
export function rowsOf(count: number, from = 0): readonly Row[] {
  return Array.from({ length: count }, (_, index) => ({
    account: accountOf(from + index),
    score: BigInt(1_000 + index),
  }));
}

/** Rows for the accounts 0, 1, … with the given scores. */
export function scored(...scores: readonly bigint[]): readonly Row[] {
  return scores.map((score, index) => ({ account: accountOf(index), score }));
}

/** Rows in one order, so that lists of them compare whatever the VM's order is. */
export function sorted(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => (a.account < b.account ? -1 : 1));
}

/** What is expected on the VM at hand. */
export function on<T>(vm: Vm, expected: Readonly<Record<Vm, T>>): T {
  return expected[vm];
}

/** Compares how a call ended with what is expected. A node that tells no reasons is believed any failure. */
export function expectOutcome({ outcome, details }: CallResult, expected: Outcome): void {
  const actual = outcome === "UNTOLD" && expected !== "DONE" ? expected : outcome;
  expect({ outcome: actual, details }).toEqual({ outcome: expected, details });
}

/** Makes a call that has to succeed. */
export async function done(contract: DeployedContract, role: Role, call: SubjectCall): Promise<CallResult> {
  const result = await contract.call(role, call);
  expectOutcome(result, "DONE");
  return result;
}

/** Makes a call that has to fail with a code and to change nothing that a reader can see (R9). */
export async function refused(
  contract: DeployedContract,
  role: Role,
  call: SubjectCall,
  code: ErrorCode,
): Promise<CallResult> {
  const before = await stateOf(contract);
  const result = await contract.call(role, call);
  expectOutcome(result, code);
  expect(await stateOf(contract), `after a refused ${call.kind}`).toEqual(before);
  return result;
}

/** All that readers can see of a contract. */
export interface ContractState {
  readonly stages: readonly (StageView & { readonly stage: bigint; readonly rows: readonly Row[] })[];
  readonly members: readonly Account[];
  readonly ownership: Ownership;
}

/** Stages that a contract can have at most in a scenario; bounds the walk from the first one on. */
const mostStages = 8n;

/** Reads all that readers can see: every stage from the first one on with its rows, the members, the owner. */
export async function stateOf(contract: DeployedContract): Promise<ContractState> {
  const { read } = contract;
  const [stages, members, ownership] = await Promise.all([stagesOf(contract), read.getMembers(), read.getOwnership()]);
  return { stages, members: [...members].sort(), ownership };
}

async function stagesOf(contract: DeployedContract): Promise<ContractState["stages"]> {
  const stages: ContractState["stages"][number][] = [];
  const first = await contract.read.getInitStage();
  for (let stage = first; stage < first + mostStages && stage < 2n ** 64n; stage += 1n) {
    const [view, rows] = await Promise.all([contract.read.getStage(stage), allRows(contract, stage)]);
    if (!view.exists) break;
    stages.push({ stage, ...view, rows });
  }
  return stages;
}

/** Every row of a stage, page by page, in one order. */
export async function allRows(contract: DeployedContract, stage = 1n): Promise<readonly Row[]> {
  return sorted((await pagesOf(contract, stage, 1_000)).flat());
}

/** The pages of a stage of at most `limit` rows, in the contract's order. */
export async function pagesOf(
  contract: DeployedContract,
  stage: bigint,
  limit: number,
): Promise<readonly (readonly Row[])[]> {
  const pages: (readonly Row[])[] = [];
  for (let from: string | undefined; pages.length < 1_000;) {
    const { rows, next } = await contract.read.getPage(stage, limit, from);
    pages.push(rows);
    if (next === undefined) return pages;
    from = next;
  }
  throw new Error(`stage ${stage} has no last page`);
}

/** Writes rows in batches that fit into a transaction of every VM; all must succeed. */
export async function writeRows(contract: DeployedContract, rows: readonly Row[], stage = 1n): Promise<void> {
  for (let start = 0; start < rows.length; start += 250) {
    await done(contract, "creator", { kind: "updateScores", stage, rows: rows.slice(start, start + 250) });
  }
}

/** What a stage has to hold: exactly these rows, their number, and their sum. */
export async function expectStage(contract: DeployedContract, rows: readonly Row[], stage = 1n): Promise<void> {
  const total = rows.reduce((sum, { score }) => sum + score, 0n);
  expect(await contract.read.getStage(stage)).toMatchObject({ exists: true, total, count: BigInt(rows.length) });
  expect(await allRows(contract, stage)).toEqual(sorted(rows));
}
