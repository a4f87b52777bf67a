import { NodeError } from "../errors/nodeError.ts";
import { BroadcastError } from "../errors/transactionErrors.ts";
import { CheckError } from "../errors/vipError.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { SignedTransaction, TransactionStatus } from "../scoreContract.ts";
import { patienceMs, pollUntil } from "../time/patience.ts";
import { findLate, type TransactionPort } from "./handOver.ts";
import type { Journal } from "./journal.ts";

/** A transaction in a block. */
export type Included = Extract<TransactionStatus, { state: "included" }>;

/** The outcome of a transaction: in a block, or dropped: it no longer exists and its sequence is free or used by another. */
export type Outcome = Included | { readonly state: "dropped" };

/** Options for waiting for the chain. */
export interface WaitOptions extends SignalOptions {
  /** Maximum wait for a transaction's block, in milliseconds. Default: 120,000. */
  readonly inclusionTimeoutMs?: number | undefined;
}

/**
 * Waits until a transaction is in a block, or certain never to be. Waits for a pending one. Broadcasts one that the node no
 * longer knows again while its sequence is free (if `sent` has its bytes); otherwise it is dropped.
 *
 * @throws CheckError `PENDING_TRANSACTIONS` when it stays pending past the timeout; NodeError when the endpoint fails for
 * 30 seconds.
 */
export async function waitForOutcome(
  port: TransactionPort,
  sent: Pick<SignedTransaction, "hash" | "sequence"> & Partial<SignedTransaction>,
  options: WaitOptions & {
    readonly journal?: Journal | undefined;
    /** Time until an unknown hash counts as lost, in milliseconds. Default: 2,000, at most a quarter of the limit above. */
    readonly unknownTimeoutMs?: number;
  } = {},
): Promise<Outcome> {
  const {
    journal,
    inclusionTimeoutMs: timeoutMs = patienceMs.inclusion,
    unknownTimeoutMs = Math.min(patienceMs.unknown, timeoutMs / 4),
    signal,
  } = options;
  const { hash, sequence, bytes, gas } = sent;
  let silentSince: number | undefined;
  let unknownSince: number | undefined;
  const outcome = await pollUntil<Outcome>(
    async () => {
      const requestedAt = performance.now();
      try {
        const status = await port.lookUp(hash, { signal });
        silentSince = undefined;
        if (status.state === "included") return status;
        if (status.state === "pending") {
          unknownSince = undefined;
          return undefined;
        }
        unknownSince ??= performance.now();
        if (performance.now() - unknownSince < unknownTimeoutMs) return undefined;
        if (bytes === undefined || gas === undefined) return { state: "dropped" };
        unknownSince = undefined;
        await port.broadcast({ hash, sequence, gas, bytes }, { signal });
        return undefined;
      } catch (error) {
        if (error instanceof BroadcastError) {
          // It is not its turn yet: the node forgot it, and accepts it in this form once the earlier ones are in a block.
          if (error.refusal === "resign") return undefined;
          // Another transaction used the sequence, or this one did, which a lagging node does not show yet.
          const status = await findLate(port, hash, { signal });
          return status?.state === "included" ? status : { state: "dropped" };
        }
        if (!(error instanceof NodeError)) throw error;
        // A look-up retries for this long itself; a failure that came sooner is retried here.
        silentSince ??= requestedAt;
        if (performance.now() - silentSince >= patienceMs.outage) throw error;
        return undefined;
      }
    },
    { timeoutMs, signal },
  );
  if (outcome === undefined) {
    throw new CheckError(`transaction ${hash} (sequence ${sequence}) is not in a block yet`, {
      code: "PENDING_TRANSACTIONS",
      metaMessages: [`Waited ${Math.round(timeoutMs / 1000)} s. Try again: this hash is looked up first.`],
    });
  }
  if (outcome.state === "dropped") await journal?.recordSettled(hash, "dropped");
  else await journal?.recordSettled(hash, outcome.succeeded ? "included" : "failed", outcome.height);
  return outcome;
}
