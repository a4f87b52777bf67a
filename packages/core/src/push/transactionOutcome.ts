import { BroadcastError } from "../errors/broadcastError.ts";
import { CheckError } from "../errors/checkError.ts";
import { NodeError } from "../errors/nodeError.ts";
import type { ScoreContract, SignedTransaction, TransactionStatus } from "../scoreContract.ts";
import type { Journal } from "./journal.ts";
import { pollUntil } from "./pollUntil.ts";

/** A transaction in a block. */
export type Included = Extract<TransactionStatus, { state: "included" }>;

/** What became of a transaction: in a block, or dropped: nowhere, and its sequence free or used by another. */
export type Outcome = Included | { readonly state: "dropped" };

/** All that it takes to hand a transaction over and to follow it; a deployment has it before there is a contract. */
export type TransactionPort = Pick<ScoreContract, "broadcast" | "lookUp">;

/** How long to wait for the chain. */
export interface WaitOptions {
  /** How long a transaction may stay without a block before the push gives up waiting; default 120,000 ms. */
  readonly inclusionTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

const defaultInclusionTimeoutMs = 120_000;
/** How long a node that does not answer is asked again. */
const outageTimeoutMs = 30_000;
/** How long a hash that a node took may stay unknown to it before it is handed over again: gossip and restarts. */
const defaultUnknownTimeoutMs = 2_000;
/** How far the nodes behind one endpoint may be apart: what one of them knows, another one knows after this time. */
export const lagTimeoutMs = 5_000;

/**
 * Writes the journal line, then hands the transaction over. When the answer is lost, the hash tells whether it arrived;
 * only where the node does not know it the same signed bytes are handed over again, which can never execute twice.
 *
 * @throws BroadcastError when the node refuses it; NodeError when the node stays silent, and then the journal holds it.
 */
export async function handOver(
  port: TransactionPort,
  transaction: SignedTransaction,
  options: { readonly journal?: Journal | undefined; readonly rows: number; readonly signal?: AbortSignal },
): Promise<void> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  await options.journal?.recordSent(transaction, options.rows);
  let silence: unknown;
  const taken = await pollUntil(
    async () => {
      try {
        if (silence !== undefined && (await port.lookUp(transaction.hash, signal)).state !== "unknown") return true;
        await port.broadcast(transaction, signal);
        return true;
      } catch (error) {
        if (error instanceof BroadcastError) {
          // A first, unanswered attempt may have arrived and be the reason for this refusal.
          if (silence !== undefined && (await findLate(port, transaction.hash, signal)) !== undefined) return true;
          await options.journal?.recordSettled(transaction.hash, "refused");
          throw error;
        }
        if (!(error instanceof NodeError)) throw error;
        silence = error;
        return undefined;
      }
    },
    { timeoutMs: outageTimeoutMs, ...signal },
  );
  if (taken !== true) throw silence;
}

/**
 * Waits until a transaction is in a block, or certain never to be. A pending one is waited for; one that the node no
 * longer knows is handed over again while its sequence is free (`transaction` given), else it is dropped.
 *
 * @throws CheckError `PENDING_TRANSACTIONS` when it stays pending past the timeout; NodeError when the node stays silent.
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
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const timeoutMs = options.inclusionTimeoutMs ?? defaultInclusionTimeoutMs;
  const mayBeUnknownMs = options.unknownTimeoutMs ?? Math.min(defaultUnknownTimeoutMs, timeoutMs / 4);
  const { bytes, gas } = sent;
  let silentSince: number | undefined;
  let unknownSince: number | undefined;
  const outcome = await pollUntil<Outcome>(
    async () => {
      try {
        const status = await port.lookUp(sent.hash, signal);
        silentSince = undefined;
        if (status.state === "included") return status;
        if (status.state === "pending") {
          unknownSince = undefined;
          return undefined;
        }
        unknownSince ??= Date.now();
        if (Date.now() - unknownSince < mayBeUnknownMs) return undefined;
        if (bytes === undefined || gas === undefined) return { state: "dropped" };
        unknownSince = undefined;
        await port.broadcast({ hash: sent.hash, sequence: sent.sequence, gas, bytes }, signal);
        return undefined;
      } catch (error) {
        if (error instanceof BroadcastError) {
          // Its turn has not come: the node forgot it, and takes it in this form once those before it are in a block.
          if (error.refusal === "resign") return undefined;
          // The sequence was used by another transaction, unless by this very one, which a node behind does not show yet.
          const status = await findLate(port, sent.hash, signal);
          return status?.state === "included" ? status : { state: "dropped" };
        }
        if (!(error instanceof NodeError)) throw error;
        silentSince ??= Date.now();
        if (Date.now() - silentSince > outageTimeoutMs) throw error;
        return undefined;
      }
    },
    { timeoutMs, ...signal },
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

/**
 * Asks for a transaction that the node's refusal suggests to be known, until it is: a node behind does not show it yet.
 *
 * @returns undefined where the endpoint does not know it after {@link lagTimeoutMs}.
 */
async function findLate(
  port: TransactionPort,
  hash: string,
  signal: { readonly signal?: AbortSignal },
): Promise<Exclude<TransactionStatus, { state: "unknown" }> | undefined> {
  return pollUntil(
    async () => {
      const status = await port.lookUp(hash, signal);
      return status.state === "unknown" ? undefined : status;
    },
    { timeoutMs: lagTimeoutMs, ...signal },
  );
}
