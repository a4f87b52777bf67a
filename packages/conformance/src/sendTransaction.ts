import type { ErrorCode, SignedTransaction } from "@vipscore/core";
import { pollUntil, submit, waitForOutcome, type TransactionPort } from "@vipscore/core/engine";
import type { RestClient } from "@vipscore/core/wire";
import { openTransport } from "@vipscore/cosmos";

/**
 * A call's outcome: in a block and done, or the reason for the failure, as a code of docs/errors.md. `NO_REASON` is a failure on a
 * node that never gives reasons, such as minievm.
 */
export type Outcome = "DONE" | ErrorCode | "NO_REASON";

/** A call that is in a block. */
export interface CallResult {
  readonly hash: string;
  readonly outcome: Outcome;
  /** The chain's text about a failure. */
  readonly details: string | undefined;
  readonly gasUsed: bigint;
}

/** The transactions of a Cosmos chain, for those that no contract's port sends. */
export function cosmosPort(rest: RestClient): TransactionPort {
  const { send, find } = openTransport(rest, ({ log }) => ({ details: log }));
  return { broadcast: (transaction) => send(transaction, undefined), lookUp: (hash) => find(hash, undefined) };
}

/** Sends a signed transaction through the client's port and waits for its block. */
export async function sendTransaction(port: TransactionPort, transaction: SignedTransaction): Promise<CallResult> {
  await submit(port, transaction, { rows: 0 });
  const outcome = await waitForOutcome(port, transaction);
  const { hash } = transaction;
  if (outcome.state === "dropped") throw new Error(`transaction ${hash} was dropped by the node`);
  const { gasUsed } = outcome;
  if (outcome.succeeded) return { hash, outcome: "DONE", details: undefined, gasUsed };
  return { hash, outcome: outcome.code ?? "TRANSACTION_FAILED", details: outcome.details, gasUsed };
}

/** Bound in milliseconds of everything that a scenario waits for, far above what the slowest machine needs. */
export const waitMs = 600_000;

/** Calls `probe` until it returns something other than undefined or false. @throws Error after {@link waitMs}. */
export async function until<T>(what: string, probe: () => Promise<T | false | undefined>): Promise<T> {
  const found = await pollUntil(async () => (await probe()) || undefined, { timeoutMs: waitMs });
  if (found === undefined) throw new Error(`waited ${waitMs / 60_000} minutes for ${what}`);
  return found;
}
