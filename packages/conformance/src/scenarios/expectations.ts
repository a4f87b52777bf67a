import { createHash } from "node:crypto";
import { stage as stageOf, type Account, type ErrorCode, type ScoreContract, type Vm } from "@vipscore/core";
import { expect } from "../expect.ts";
import type { CallResult, Outcome } from "../sendTransaction.ts";
import type {
  DeployedContract,
  Ownership,
  Page,
  Role,
  Row,
  StageView,
  SubjectCall,
  SubjectReader,
} from "../subject.ts";

let salt = 0;

/** Chooses the accounts of all scenarios, so that a contract cannot know them. */
export function chooseAccounts(seed: number): void {
  salt = seed;
}

/** The pseudo-random 20-byte accounts of a seed. */
export function accountOf(index: number): Account {
  return `0x${digest(index).slice(0, 40)}` as Account;
}

/** Like {@link accountOf}, with 32 bytes. */
export function longAccountOf(index: number): Account {
  return `0x${digest(index)}` as Account;
}

function digest(index: number): string {
  return createHash("sha256").update(`scored account ${salt} ${index}`).digest("hex");
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

/** Sorts rows, so that lists compare regardless of the VM's order. */
export function sorted(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => (a.account < b.account ? -1 : 1));
}

export function on<T>(vm: Vm, expected: Readonly<Record<Vm, T>>): T {
  return expected[vm];
}

/** Compares a call's outcome with the expectation. A node that gives no reasons passes with any failure. */
export function expectOutcome({ outcome, details }: CallResult, expected: Outcome): void {
  const actual = outcome === "NO_REASON" && expected !== "DONE" ? expected : outcome;
  expect({ outcome: actual, details }).toEqual({ outcome: expected, details });
}

export async function done(contract: DeployedContract, role: Role, call: SubjectCall): Promise<CallResult> {
  const result = await contract.call(role, call);
  expectOutcome(result, "DONE");
  return result;
}

/** Makes a call that must fail with a code and change nothing that a reader can see (R9). */
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

/** Everything that readers can see of a contract. */
export interface ContractState {
  readonly stages: readonly (StageView & { readonly stage: bigint; readonly rows: readonly Row[] })[];
  readonly members: readonly Account[];
  readonly ownership: Ownership;
}

/** Maximum stages of a contract in a scenario; bounds the walk from the first stage. */
const maxStages = 8n;

/** Reads everything that readers can see: every stage from the first with its rows, the members, the owner. */
export async function stateOf(contract: DeployedContract): Promise<ContractState> {
  const { read } = contract;
  const [stages, members, ownership] = await Promise.all([
    observeStages(contract),
    memberPages(read, 1_000),
    read.getOwnership(),
  ]);
  return { stages, members: members.flat().sort(), ownership };
}

/** Returns the pages of members of at most `limit`, in the contract's order. */
export async function memberPages(read: SubjectReader, limit: number): Promise<readonly (readonly Account[])[]> {
  return pagesUntilLast("the list of members", (from) => read.getMembersPage(limit, from));
}

async function observeStages(contract: DeployedContract): Promise<ContractState["stages"]> {
  const stages: ContractState["stages"][number][] = [];
  const first = await contract.read.getInitStage();
  for (let stage = first; stage < first + maxStages && stage < 2n ** 64n; stage += 1n) {
    const [view, rows] = await Promise.all([contract.read.getStage(stage), allRows(contract, stage)]);
    if (!view.exists) break;
    stages.push({ stage, ...view, rows });
  }
  return stages;
}

export async function allRows(contract: DeployedContract, stage = 1n): Promise<readonly Row[]> {
  return sorted((await pagesOf(contract, stage, 1_000)).flat());
}

/** Reads a stage through the client, sorted, at a height or the newest. */
export async function readByClient(port: ScoreContract, stage: bigint, height?: bigint): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of port.getScores(stageOf(stage), { height: height ?? (await port.getHeight()) })) {
    rows.push(...page.map(({ account, score }) => ({ account, score })));
  }
  return sorted(rows);
}

/** Returns the pages of a stage of at most `limit` rows, in the contract's order. */
export async function pagesOf(
  contract: DeployedContract,
  stage: bigint,
  limit: number,
): Promise<readonly (readonly Row[])[]> {
  return pagesUntilLast(`stage ${stage}`, (from) => contract.read.getPage(stage, limit, from));
}

async function pagesUntilLast<Item>(
  what: string,
  read: (from?: string) => Promise<Page<Item>>,
): Promise<readonly (readonly Item[])[]> {
  const pages: (readonly Item[])[] = [];
  for (let from: string | undefined; pages.length < 1_000;) {
    const { items, next } = await read(from);
    pages.push(items);
    if (next === undefined) return pages;
    from = next;
  }
  throw new Error(`${what} has no last page`);
}

/** Writes rows in batches that fit into a transaction on every VM; all must succeed. */
export async function writeRows(contract: DeployedContract, rows: readonly Row[], stage = 1n): Promise<void> {
  for (let start = 0; start < rows.length; start += 250) {
    await done(contract, "creator", { kind: "updateScores", stage, rows: rows.slice(start, start + 250) });
  }
}

/** Expects exactly these rows in a stage, with their number and sum. */
export async function expectStage(contract: DeployedContract, rows: readonly Row[], stage = 1n): Promise<void> {
  const total = rows.reduce((sum, { score }) => sum + score, 0n);
  expect(await contract.read.getStage(stage)).toMatchObject({ exists: true, total, count: BigInt(rows.length) });
  expect(await allRows(contract, stage)).toEqual(sorted(rows));
}

/** A stage as the published readers show it, which a reference contract has too. */
export interface PublishedStage {
  readonly total: bigint | "missing";
  readonly rows: readonly Row[];
  /** The score of each row, read alone. */
  readonly scores: readonly (bigint | "missing")[];
}

/** Reads a stage in pages, and each score of its rows alone. */
export async function readPublished(contract: DeployedContract, stage = 1n): Promise<PublishedStage> {
  const { read } = contract;
  const rows = await readRows(contract, stage, 100);
  const scores = await Promise.all(rows.map(({ account }) => read.getPublishedScore(stage, account)));
  return { total: await read.getPublishedTotal(stage), rows, scores };
}

/** Reads a stage in published pages. */
export async function readRows({ read }: DeployedContract, stage: bigint, limit: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await read.getPublishedPage(stage, limit, last && { offset: rows.length, last: last.account });
    rows.push(...page.rows);
    if (page.rows.length < limit) return rows;
  }
}
