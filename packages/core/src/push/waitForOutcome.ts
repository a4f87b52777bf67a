import { BroadcastError } from "../errors/broadcastError.ts";
import { CheckError } from "../errors/checkError.ts";
import { NodeError } from "../errors/nodeError.ts";
import { patienceMs } from "../time/patience.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { SignedTransaction, TransactionStatus } from "../scoreContract.ts";
import { findLate, type TransactionPort } from "./handOver.ts";
import type { Journal } from "./journal.ts";
import { pollUntil } from "../time/pollUntil.ts";

/** A transaction in a block. */
export type Included = Extract<TransactionStatus, { state: "included" }>;

/** What became of a transaction: in a block, or dropped: nowhere, and its sequence free or used by another. */
export type Outcome = Included | { readonly state: "dropped" };

/** How long to wait for the chain. */
export interface WaitOptions extends SignalOptions {
  /** How long a transaction may stay without a block before the push gives up waiting; default 120,000 ms. */
  readonly inclusionTimeoutMs?: number | undefined;
}

const defaultInclusionTimeoutMs = 120_000;
/** How long a hash that a node took may stay unknown to it before it is handed over again: gossip and restarts. */
export const defaultUnknownTimeoutMs = 2_000;

/**
 * Waits until a transaction is in a block, or certain never to be. A pending one is waited for; one that the node no
 * longer knows is handed over again while its sequence is free (`sent` with its bytes), else it is dropped.
 *
 * @throws CheckError `PENDING_TRANSACTIONS` when it stays pending past the timeout; NodeError when the endpoint fails for
 * 30 seconds.
 */
export async function waitForOutcome(
  port: TransactionPort,
  sent: Pick<SignedTransaction, "hash" | "sequence"> & Partial<SignedTransaction>,
  options: WaitOptions & {
    readonly journal?: Journal | undefined;
    /** How long the hash may stay unknown before it counts as lost; default 2,000 ms, and at most `inclusionTimeoutMs`. */
    readonly unknownTimeoutMs?: number;
  } = {},
): Promise<Outcome> {
  const { signal } = options;
  const timeoutMs = options.inclusionTimeoutMs ?? defaultInclusionTimeoutMs;
  const mayBeUnknownMs = options.unknownTimeoutMs ?? Math.min(defaultUnknownTimeoutMs, timeoutMs / 4);
  const { bytes, gas } = sent;
  let silentSince: number | undefined;
  let unknownSince: number | undefined;
  const outcome = await pollUntil<Outcome>(
    async () => {
      const askedAt = performance.now();
      try {
        const status = await port.lookUp(sent.hash, { signal });
        silentSince = undefined;
        if (status.state === "included") return status;
        if (status.state === "pending") {
          unknownSince = undefined;
          return undefined;
        }
        unknownSince ??= performance.now();
        if (performance.now() - unknownSince < mayBeUnknownMs) return undefined;
        if (bytes === undefined || gas === undefined) return { state: "dropped" };
        unknownSince = undefined;
        await port.broadcast({ hash: sent.hash, sequence: sent.sequence, gas, bytes }, { signal });
        return undefined;
      } catch (error) {
        if (error instanceof BroadcastError) {
          // Its turn has not come: the node forgot it, and takes it in this form once those before it are in a block.
          if (error.refusal === "resign") return undefined;
          // The sequence was used by another transaction, unless by this very one, which a node behind does not show yet.
          const status = await findLate(port, sent.hash, { signal });
          return status?.state === "included" ? status : { state: "dropped" };
        }
        if (!(error instanceof NodeError)) throw error;
        // A look-up has had this patience already; what fails at once is asked again.
        silentSince ??= askedAt;
        if (performance.now() - silentSince >= patienceMs.outage) throw error;
        return undefined;
      }
    },
    { timeoutMs, signal },
  );
  if (outcome === undefined) {
    throw new CheckError(`transaction ${sent.hash} (sequence ${sent.sequence}) is still in no block`, {
      code: "PENDING_TRANSACTIONS",
      metaMessages: [
        `Waited ${Math.round(timeoutMs / 1000)} s. Run the same command again: it asks for this hash first.`,
      ],
    });
  }
  if (outcome.state === "dropped") await options.journal?.recordSettled(sent.hash, "dropped");
  else await options.journal?.recordSettled(sent.hash, outcome.succeeded ? "included" : "failed", outcome.height);
  return outcome;
}
