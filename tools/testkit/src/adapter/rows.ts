import { createHash } from "node:crypto";
import {
  planPush,
  push,
  stage,
  type Account,
  type ContractCall,
  type Included,
  type PlanPushOptions,
  type PushEvent,
  type ScoreContract,
  type ScoreRow,
  type ScoreTable,
  type SignedTransaction,
  type Vm,
} from "@vipscore/core";
import { submit, waitForOutcome, type TransactionPort } from "@vipscore/core/engine";

export const stageOne = stage(1n);
export const stageTwo = stage(2n);

/** Number of rows that always fit into one transaction. */
const rowsAtOnce: Readonly<Record<Vm, number>> = { evm: 200, move: 5000, wasm: 2500 };

/** Numbers of rows whose push takes at least this many transactions. */
export const pushSizes: Readonly<Record<Vm, { readonly rows: number; readonly transactions: number }>> = {
  evm: { rows: 900, transactions: 2 },
  move: { rows: 7_000, transactions: 2 },
  wasm: { rows: 7_000, transactions: 3 },
};

/** Returns a pseudo-random account of 20 bytes, the same in every run. */
export function accountOf(index: number): Account {
  return `0x${digest(index).slice(0, 40)}` as Account;
}

/** Like {@link accountOf}, with 32 bytes. */
export function longAccountOf(index: number): Account {
  return `0x${digest(index)}` as Account;
}

/** Like {@link accountOf}, with the maximum length of the contract's chain. */
export function widestAccountOf({ accountBytes }: ScoreContract, index: number): Account {
  return accountBytes.includes(32) ? longAccountOf(index) : accountOf(index);
}

function digest(index: number): string {
  return createHash("sha256").update(`account ${index}`).digest("hex");
}

/** `count` rows with the scores 1000, 1001, … */
export function rowsOf(count: number, from = 0): readonly ScoreRow[] {
  return Array.from({ length: count }, (_, index) => ({
    account: accountOf(from + index),
    score: BigInt(1000 + index),
  }));
}

/** Sorts rows, so that lists of them can be compared on every VM. */
export function sorted(rows: readonly ScoreRow[]): readonly ScoreRow[] {
  return [...rows].sort((a, b) => (a.account < b.account ? -1 : 1));
}

/** Returns an upper bound of the gas of an `updateScores` transaction to a stage without these rows. */
export async function gasOf(contract: ScoreContract, rows: readonly ScoreRow[], at = stageOne): Promise<bigint> {
  const height = await contract.getHeight();
  const planned = rows.map((row) => ({ ...row, current: undefined }));
  const priced = await contract.priceRows(planned, { stage: at, height, scores: new Map() });
  const { baseGas } = await contract.getLimits();
  return priced.reduce((sum, { gas }) => sum + gas, baseGas);
}

/** Sends a call and waits for its block. Default for `gas`: the call's maximum; for rows, the chain's maximum. */
export async function write(contract: ScoreContract, call: ContractCall, gas?: bigint): Promise<Included> {
  const sequence = await contract.getSequence();
  const maxGas = call.kind === "updateScores" ? (await contract.getLimits()).maxGas : contract.getCallGas(call);
  return settle(contract, await contract.sign(call, { sequence, gas: gas ?? maxGas }));
}

/** Broadcasts a signed transaction and waits for its block. */
export async function settle(port: TransactionPort, transaction: SignedTransaction): Promise<Included> {
  await submit(port, transaction, { rows: 0 });
  const outcome = await waitForOutcome(port, transaction);
  if (outcome.state === "dropped") throw new Error(`transaction ${transaction.hash} was dropped`);
  return outcome;
}

/** Sends a call that must succeed. */
export async function done(contract: ScoreContract, call: ContractCall): Promise<Included> {
  const included = await write(contract, call);
  if (!included.succeeded) throw new Error(`${call.kind} of the test failed: ${included.details}`);
  return included;
}

/** Writes rows; every transaction must succeed. */
export async function writeRows(contract: ScoreContract, rows: readonly ScoreRow[], at = stageOne): Promise<void> {
  const size = rowsAtOnce[contract.identity.vm];
  for (let start = 0; start < rows.length; start += size) {
    await done(contract, { kind: "updateScores", stage: at, rows: rows.slice(start, start + size) });
  }
}

/** Returns every row of a stage at a height. Default: the newest height. */
export async function readRows(contract: ScoreContract, at = stageOne, height?: bigint): Promise<readonly ScoreRow[]> {
  const pages = contract.getScores(at, { height: height ?? (await contract.getHeight()) });
  const rows: ScoreRow[] = [];
  for await (const page of pages) rows.push(...page.map(({ account, score }) => ({ account, score })));
  return rows;
}

/** Plans and pushes a table to stage 1; returns the events. */
export async function pushAll(
  contract: ScoreContract,
  table: ScoreTable,
  options: PlanPushOptions = {},
): Promise<readonly PushEvent[]> {
  const events: PushEvent[] = [];
  const plan = await planPush(contract, stageOne, table, options);
  for await (const event of push(contract, plan, options)) events.push(event);
  return events;
}

export function countOf(events: readonly PushEvent[], type: PushEvent["type"]): number {
  return events.filter((event) => event.type === type).length;
}
