import { BroadcastError, ExecutionError, NodeError, VipError } from "../errors/vipError.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { ScoreContract, SignedTransaction, TransactionStatus } from "../scoreContract.ts";
import { Patience, patienceMs, pauses, pollUntil } from "../time/patience.ts";
import { cutOffRefusal } from "../wire/jsonRpc.ts";
import { undefinedIf } from "../wire/restClient.ts";
import type { Journal } from "./journal.ts";

/** The methods to broadcast a transaction and follow it; a deployment has them before the contract exists. */
export type TransactionPort = Pick<ScoreContract, "broadcast" | "lookUp">;

/** The methods to send an account's transactions. */
export type SenderPort = TransactionPort & Pick<ScoreContract, "getSequence">;

/** A transaction in a block. */
export type Included = Extract<TransactionStatus, { state: "included" }>;

/** The outcome of a transaction: in a block, or dropped: it no longer exists and its sequence is free or used by another. */
export type Outcome = Included | { readonly state: "dropped" };

/** A transaction whose rows are in the stage, as its state shows: in a block up to this height. */
export interface Written {
  readonly state: "written";
  readonly height: bigint;
}

/** A transaction whose sequence is used, by itself or by another: only a receipt could show more, and the node has none. */
export interface Unclear {
  readonly state: "unclear";
}

/** Options for waiting for the chain. */
export interface WaitOptions extends SignalOptions {
  /** Maximum wait for a transaction's block, in milliseconds. Default: 120,000. */
  readonly inclusionTimeoutMs?: number | undefined;
}

/**
 * Waits until a transaction is in a block, or certain never to be. Waits for a pending one. Broadcasts one that the node no
 * longer knows again while its sequence is free (if `sent` has its bytes); otherwise it is dropped. While `look` says that it
 * waits, looks it up only after the time after which an unknown hash counts as lost.
 *
 * @throws VipError `PENDING_TRANSACTIONS` when it stays pending past the timeout, `TX_INDEX_OFF` when only a receipt decides and
 * the node has none; NodeError when the endpoint fails for 30 seconds.
 */
export async function waitForOutcome<Settled extends Written | Unclear = never>(
  port: TransactionPort,
  sent: Pick<SignedTransaction, "hash" | "sequence"> & Partial<SignedTransaction>,
  options: WaitOptions & {
    readonly journal?: Journal | undefined;
    /**
     * Time until an unknown hash counts as lost, in milliseconds. Default: 5,000, without `look` 2,000; at most a quarter of the
     * limit above.
     */
    readonly unknownTimeoutMs?: number;
    /**
     * What state shows of the transaction: settled, it waits, or its receipt has to decide, which a node without an index does
     * not have. Default: its receipt decides.
     */
    readonly look?: ((hasReceipts: boolean) => Promise<Settled | "waits" | "unclear">) | undefined;
  } = {},
): Promise<Outcome | Settled> {
  const {
    journal,
    inclusionTimeoutMs: timeoutMs = patienceMs.inclusion,
    look,
    // A block may take seconds, and sending all bytes again costs more than a late start after a loss.
    unknownTimeoutMs = Math.min(look === undefined ? patienceMs.unknown : patienceMs.lag, timeoutMs / 4),
    signal,
  } = options;
  const { hash, sequence, bytes, gas } = sent;
  let silentSince: number | undefined;
  let unknownSince: number | undefined;
  let hasReceipts = true;
  const isLost = (): boolean => {
    unknownSince ??= performance.now();
    return performance.now() - unknownSince >= unknownTimeoutMs;
  };
  const outcome = await pollUntil<Outcome | Settled>(
    async () => {
      const requestedAt = performance.now();
      try {
        const shown = await look?.(hasReceipts);
        if (typeof shown === "object") return shown;
        if (shown !== "waits" && !hasReceipts) throw noReceipt(sent);
        if (shown === "waits" && !isLost()) return undefined;
        const status = await port.lookUp(hash, { signal });
        silentSince = undefined;
        if (status.state === "included") return status;
        if (status.state === "unindexed" && hasReceipts) {
          hasReceipts = false;
          return undefined;
        }
        if (status.state === "pending") {
          unknownSince = undefined;
          return undefined;
        }
        if (!isLost()) return undefined;
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
          if (status === undefined) return { state: "dropped" };
          if (status.state === "unindexed") {
            hasReceipts = false;
            if (look === undefined) throw noReceipt(sent);
            const shown = await pollUntil(async () => settledOf(await look(hasReceipts)), {
              timeoutMs: patienceMs.lag,
              signal,
            });
            return shown ?? { state: "dropped" };
          }
          // A pending one may be in a block whose receipt the node does not have yet: its rows must not be sent again.
          return status.state === "included" ? status : undefined;
        }
        if (!(error instanceof NodeError)) throw error;
        // A look-up retries for this long itself; a failure that came sooner is retried here.
        silentSince ??= requestedAt;
        if (performance.now() - silentSince >= patienceMs.outage) throw error;
        return undefined;
      }
    },
    { timeoutMs, signal, ...(look && pauses.block) },
  );
  if (outcome === undefined) {
    throw new VipError(`transaction ${hash} (sequence ${sequence}) is not in a block yet`, {
      code: "PENDING_TRANSACTIONS",
      metaMessages: [`Waited ${Math.round(timeoutMs / 1000)} s. Try again: this hash is looked up first.`],
    });
  }
  if (outcome.state === "dropped" || outcome.state === "unclear") await journal?.recordSettled(hash, outcome.state);
  else if (outcome.state === "written")
    await journal?.recordSettled(hash, "included", { height: outcome.height, by: "state" });
  else await journal?.recordSettled(hash, outcome.succeeded ? "included" : "failed", { height: outcome.height });
  return outcome;
}

function settledOf<Settled extends object>(shown: Settled | string | undefined): Settled | undefined {
  return typeof shown === "object" ? shown : undefined;
}

/** Returns the error for a transaction of which only its receipt shows what became, on a node that keeps none. */
export function noReceipt({ hash, sequence }: Pick<SignedTransaction, "hash" | "sequence">): ExecutionError {
  return new ExecutionError(`only its receipt shows what became of transaction ${hash} (sequence ${sequence})`, {
    code: "TX_INDEX_OFF",
    txHash: hash,
    metaMessages: ["The node keeps no index of transactions: it may have failed, or others wrote too.", txIndexAdvice],
  });
}

/** What to do about a node without an index of transactions. */
export const txIndexAdvice =
  'Set indexer = "kv" under [tx_index] in the node\'s config.toml and restart it, or use another endpoint.';

/**
 * Records the transaction, then broadcasts it. If the answer is lost or inconclusive, the transaction is in doubt:
 * looks up its hash, and while the node does not know it, broadcasts the same signed bytes again, which can never execute
 * twice.
 *
 * @throws BroadcastError when the node refuses it; NodeError when it stays in doubt for 30 seconds; the journal then keeps
 * it.
 */
export async function submit(
  port: TransactionPort,
  transaction: SignedTransaction,
  options: SignalOptions & { readonly journal?: Journal | undefined; readonly rows: number },
): Promise<void> {
  const { journal, rows, signal } = options;
  await journal?.recordSent([{ transaction, rows }]);
  await deliver(port, transaction, port.broadcast(transaction, { signal }), options);
}

/**
 * Like {@link submit} for several transactions, which the node gets in one request; one that is in doubt is then sent alone.
 *
 * @returns The node's refusal of each, undefined if the node has it; and whether the node took the request.
 */
export async function submitAll(
  port: TransactionPort & Pick<ScoreContract, "broadcastAll">,
  sent: readonly { readonly transaction: SignedTransaction; readonly rows: number }[],
  options: SignalOptions & { readonly journal?: Journal | undefined },
): Promise<{ readonly refusals: readonly (BroadcastError | undefined)[]; readonly wasTaken: boolean }> {
  const { journal, signal } = options;
  await journal?.recordSent(sent);
  const transactions = sent.map(({ transaction }) => transaction);
  const sendings = port.broadcastAll?.(transactions, { signal }) ?? [];
  const answers = await Promise.allSettled(sendings);
  const wasTaken = answers.some((answer) => answer.status === "fulfilled" || answer.reason instanceof BroadcastError);
  const refusals: (BroadcastError | undefined)[] = [];
  for (const [at, transaction] of transactions.entries()) {
    const refusal = await deliver(port, transaction, sendings[at], options).catch((error: unknown) => {
      if (error instanceof BroadcastError) return error;
      throw error;
    });
    refusals.push(refusal ?? undefined);
  }
  return { refusals, wasTaken };
}

/**
 * Makes sure that the node has a transaction, or has refused it.
 *
 * @param first - Its first sending; undefined for one that an earlier run may have sent.
 */
export async function deliver(
  port: TransactionPort,
  transaction: SignedTransaction,
  first: Promise<void> | undefined,
  { journal, signal }: SignalOptions & { readonly journal?: Journal | undefined },
): Promise<void> {
  const patience = new Patience({ forMs: patienceMs.outage });
  const lag = new Patience({ forMs: patienceMs.lag });
  let sending = first;
  for (let isInDoubt = first === undefined; ; isInDoubt = true) {
    let doubt: NodeError;
    try {
      await (sending ?? port.broadcast(transaction, { signal }));
      return;
    } catch (error) {
      if (error instanceof BroadcastError) {
        // An earlier attempt may have arrived and be the reason for this refusal; without an index, state shows it.
        const late = isInDoubt ? await findLate(port, transaction.hash, { signal }) : undefined;
        if (late !== undefined && (late.state !== "unindexed" || error.refusal !== "resign")) return;
        await journal?.recordSettled(transaction.hash, "refused");
        throw error;
      }
      if (!(error instanceof NodeError)) throw error;
      doubt = error;
    }
    const shown = await undefinedIf((error) => error instanceof NodeError, port.lookUp(transaction.hash, { signal }));
    if (shown?.state === "included" || shown?.state === "pending") return;
    // All nodes would show it by now. A smaller one with its sequence excludes it for good.
    const cutOff = shown?.state === "unknown" && lag.leftMs === 0 ? cutOffRefusal(doubt, transaction) : undefined;
    if (cutOff !== undefined) {
      await journal?.recordSettled(transaction.hash, "dropped");
      throw cutOff;
    }
    if (!(await patience.pause(signal, doubt.retryAfterMs))) throw doubt;
    sending = undefined;
  }
}

/**
 * Polls for a transaction that should be known according to the node's refusal: a lagging node does not show it yet.
 *
 * @returns undefined if the endpoint does not know it after five seconds; `unindexed` at once.
 */
export function findLate(
  port: TransactionPort,
  hash: string,
  { signal }: SignalOptions,
): Promise<Exclude<TransactionStatus, { state: "unknown" }> | undefined> {
  return pollUntil(
    async () => {
      const status = await port.lookUp(hash, { signal });
      return status.state === "unknown" ? undefined : status;
    },
    { timeoutMs: patienceMs.lag, signal },
  );
}

/** Maximum number of signatures per transaction: a node may require another form, price or sequence. */
const maxSignatures = 4;

export interface SignAndSubmitOptions extends SignalOptions {
  /** The required sequence. Default: the account's next one, or another one if the node refuses that. */
  readonly sequence?: bigint | undefined;
  readonly journal?: Journal | undefined;
  /** Rows that the transaction writes, for the journal. */
  readonly rows: number;
  /** Called with each transaction before it is sent. */
  readonly onSigned?: (transaction: SignedTransaction) => void;
}

/**
 * Signs a transaction and broadcasts it; signs it again if the node accepts it only in another form, for another price or with
 * another sequence.
 *
 * @throws BroadcastError when the node refuses it; NodeError when it stays in doubt; the journal then keeps it.
 */
export async function signAndSubmit(
  port: SenderPort,
  sign: (sequence: bigint) => Promise<SignedTransaction>,
  options: SignAndSubmitOptions,
): Promise<SignedTransaction> {
  const { journal, rows, onSigned, sequence: required, signal } = options;
  let sequence = required ?? (await port.getSequence({ signal }));
  let refused: { readonly hash: string; readonly error: BroadcastError } | undefined;
  for (let signing = 1; ; signing += 1) {
    const transaction = await sign(sequence);
    // The chain's price is still the one that the node refused: it would refuse the same bytes again.
    if (refused?.error.refusal === "fee" && refused.hash === transaction.hash) throw refused.error;
    onSigned?.(transaction);
    try {
      await submit(port, transaction, { journal, rows, signal });
      return transaction;
    } catch (error) {
      if (!(error instanceof BroadcastError) || signing === maxSignatures) throw error;
      refused = { hash: transaction.hash, error };
      if (error.refusal === "resign" || error.refusal === "fee") continue;
      if (error.refusal !== "sequence" || required !== undefined) throw error;
      sequence = await sequenceAfter(port, sequence, { signal });
    }
  }
}

/**
 * Returns the account's next sequence after the node refused `refused`. A lagging node still reports the refused one, so this
 * polls for another one, for up to five seconds.
 */
export async function sequenceAfter(port: SenderPort, refused: bigint, { signal }: SignalOptions): Promise<bigint> {
  const other = await pollUntil(
    async () => {
      const sequence = await port.getSequence({ signal });
      return sequence === refused ? undefined : sequence;
    },
    { timeoutMs: patienceMs.lag, signal },
  );
  return other ?? refused;
}

/** Returns a height at which a transaction's sequence is used; undefined if it is free. */
export async function usedAt(
  contract: ScoreContract,
  { sequence }: Pick<SignedTransaction, "sequence">,
  { signal }: SignalOptions,
): Promise<bigint | undefined> {
  const height = await contract.getHeight({ signal });
  return (await contract.getSequence({ height, signal })) > sequence ? height : undefined;
}
