import {
  NodeError,
  type Account,
  type SignedTransaction,
  type SimulateOptions,
  type Simulation,
  type TransactionStatus,
} from "@vipscore/core";
import type { SendAll } from "@vipscore/core/engine";
import {
  isNotFound,
  isRequestFault,
  RestError,
  undefinedIf,
  type Answer,
  type MonotonicHeight,
  type RestClient,
} from "@vipscore/core/wire";
import { openHeights } from "./chainFacts.ts";
import type { CosmosMessage } from "./cosmosAccount.ts";
import { classifyRefusal, type ParseFailure, type Refusal } from "./refusals.ts";
import { settleBroadcast, type NodeRefusal } from "./settleBroadcast.ts";
import { simulate } from "./simulate.ts";

/** The node's code for a full mempool (`ErrMempoolIsFull` of the Cosmos SDK). */
const mempoolFullCode = 20;

const transactionsPath = "/cosmos/tx/v1beta1/txs";

/** What an adapter does with a chain's transactions; see `ContractParts` of core. */
export interface Transport {
  readonly heights: MonotonicHeight;
  readonly simulate: (
    message: CosmosMessage,
    options: SimulateOptions & { readonly from: Account },
  ) => Promise<Simulation>;
  readonly send: (transaction: SignedTransaction, signal: AbortSignal | undefined) => Promise<void>;
  /** Undefined over REST, which takes one at a time. */
  readonly sendAll: SendAll | undefined;
  readonly find: (hash: string, signal: AbortSignal | undefined) => Promise<TransactionStatus>;
}

/** Opens the transactions of the chain behind an endpoint. */
export function openTransport(rest: RestClient, parseFailure: ParseFailure): Transport {
  const { sendAll } = rest;
  return {
    heights: openHeights(rest),
    simulate: (message, options) => simulate(rest, message, options, parseFailure),
    send: (transaction, signal) => broadcast(rest, transaction, signal),
    sendAll:
      sendAll &&
      ((transactions, signal) => {
        const answerTo = sendAll(transactionsPath, transactions.map(bodyOf), { signal });
        return (transaction, at) =>
          settle(
            rest,
            transaction,
            answerTo(at).then((answer) => readRefusal(answer, transaction)),
            signal,
          );
      }),
    find: (hash, signal) => lookUp(rest, { hash, signal }, parseFailure),
  };
}

/** Sends a signed transaction to the node, once, and settles its answer; see {@link settleBroadcast}. */
export function broadcast(
  rest: RestClient,
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  const read = (answer: Answer): NodeRefusal | undefined => readRefusal(answer, transaction);
  return settle(rest, transaction, rest.send(transactionsPath, bodyOf(transaction), read, { signal }), signal);
}

function settle(
  rest: RestClient,
  transaction: SignedTransaction,
  answer: Promise<NodeRefusal | undefined>,
  signal: AbortSignal | undefined,
): Promise<void> {
  return settleBroadcast(transaction, answer, {
    isRefusal: (error) =>
      error instanceof RestError ? error.status < 500 && !error.isTransient : isRequestFault(error),
    lookUp: (hash) => lookUp(rest, { hash, signal }, ({ log }) => ({ details: log })),
  });
}

function bodyOf({ bytes }: SignedTransaction) {
  return { tx_bytes: Buffer.from(bytes).toString("base64"), mode: "BROADCAST_MODE_SYNC" };
}

/** Why the node did not accept a transaction; undefined if it did. */
function readRefusal(answer: Answer, { hash }: SignedTransaction): NodeRefusal | undefined {
  const result = answer.field("tx_response");
  const refusal = readOutcome(result);
  const { codespace, code, log } = refusal;
  if (code === 0) {
    const field = result.field("txhash");
    return field.text().toUpperCase() === hash ? undefined : field.unreadable(`${hash}, which was sent`);
  }
  const details = code === mempoolFullCode && log === "" ? "mempool is full" : log || `${codespace} code ${code}`;
  return { kind: classifyRefusal(refusal), details };
}

function readOutcome(result: Answer): Refusal {
  const code = result.field("code").integer();
  // Some nodes leave out the codespace of success.
  const codespace = result.optional("codespace")?.text() ?? "";
  return { code, codespace, log: result.field("raw_log").text() };
}

/**
 * Looks up a transaction: in a block, unknown, or the node keeps no index.
 *
 * Nodes do not show pending transactions by their hash, so a transaction is unknown, never pending, until it is in a
 * block. That is safe: after a while the engine sends the same bytes again, and the node answers that it already has
 * them. Only the sequence decides that a transaction is gone.
 */
export async function lookUp(
  rest: RestClient,
  { hash, signal }: { readonly hash: string; readonly signal: AbortSignal | undefined },
  parseFailure: ParseFailure,
): Promise<TransactionStatus> {
  const read = (answer: Answer): TransactionStatus => {
    const result = answer.field("tx_response");
    const included = {
      state: "included",
      height: result.field("height").u64(),
      gasUsed: result.field("gas_used").u64(),
    } as const;
    const outcome = readOutcome(result);
    if (outcome.code === 0) return { ...included, succeeded: true };
    return { ...included, succeeded: false, ...parseFailure(outcome) };
  };
  const asked = rest.get(`/cosmos/tx/v1beta1/txs/${hash}`, read, { signal });
  return (await undefinedIf(isNotFound, asked.catch(unindexed))) ?? { state: "unknown" };
}

/** The status at a node without an index (CometBFT 0.38, `rpc/core/tx.go`). @throws any other error. */
function unindexed(error: unknown): TransactionStatus {
  if (error instanceof NodeError && /transaction indexing is disabled/.test(error.details ?? "")) {
    return { state: "unindexed" };
  }
  throw error;
}
