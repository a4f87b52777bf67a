import { rm } from "node:fs/promises";
import { Journal, planPush, push, type ScoreTable } from "@vipscore/core";
import type { PushTarget } from "./pushTarget.ts";

/** Seconds per phase of a push. */
export interface PushPhases {
  /** Checks endpoint, chain id and contract. */
  readonly connect: number;
  /** Reads the stage and prices the difference. */
  readonly plan: number;
  /** From the plan until the last batch is in a block. */
  readonly send: number;
  /** Reads back and compares every score. */
  readonly verify: number;
}

/** One push, from connecting to the verified stage. */
export interface PushRound {
  readonly seconds: number;
  readonly phases: PushPhases;
  /** Transactions with rows. */
  readonly batches: number;
  /** Rows of the largest transaction. */
  readonly rowsPerBatch: number;
  /** Batches that did not succeed at first. */
  readonly setbacks: number;
}

/**
 * Pushes a table as the command does, with a journal, and measures the time.
 *
 * @param journalFile - The path of the journal.
 */
export async function ourPush(
  { connect, stage, packed }: PushTarget,
  table: ScoreTable,
  journalFile: string,
): Promise<PushRound> {
  const started = performance.now();
  const contract = await connect();
  const connected = performance.now();
  const journal = await Journal.open(journalFile, { identity: contract.identity, stage });
  const plan = await planPush(contract, stage, table, { journal, packed });
  const planned = performance.now();
  let sent = planned;
  let batches = 0;
  let rowsPerBatch = 0;
  let setbacks = 0;
  for await (const event of push(contract, plan, { journal })) {
    if (event.type === "setback") setbacks += 1;
    if (event.type !== "confirmed") continue;
    sent = performance.now();
    batches += 1;
    rowsPerBatch = Math.max(rowsPerBatch, event.rows);
  }
  const ended = performance.now();
  await journal.close();
  await rm(journalFile, { force: true });
  const between = (from: number, to: number) => (to - from) / 1_000;
  const phases = {
    connect: between(started, connected),
    plan: between(connected, planned),
    send: between(planned, sent),
    verify: between(sent, ended),
  };
  return { seconds: between(started, ended), phases, batches, rowsPerBatch, setbacks };
}
