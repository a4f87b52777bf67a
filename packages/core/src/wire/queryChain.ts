import { NodeError } from "../errors/vipError.ts";
import type { ReadOptions } from "../readOptions.ts";
import type { Answer } from "./answer.ts";
import type { JsonRpc } from "./jsonRpc.ts";
import { isPassingText } from "./retryRead.ts";

/** A query of a Cosmos chain's protobuf interface, which CometBFT passes to the application (`abci_query`). */
export interface ChainQuery<T> {
  /** E.g. `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly path: string;
  /** The request, encoded. */
  readonly request: Uint8Array;
  /** Decodes the answer; throws if it is invalid. */
  readonly decode: (value: Uint8Array) => T;
}

/** The text with which a chain wraps a contract's refusal of a query (wasmd, `x/wasm/types/errors.go`). */
const contractText = /query wasm contract failed/;

/** A query that the chain, or the contract that it queried, answered with an error. */
export class QueryError extends NodeError {
  static override readonly className: string = "QueryError";

  override readonly name: string = "QueryError";
  /** The error's number in its codespace. */
  readonly abciCode: number;
  readonly codespace: string;

  constructor(endpoint: string, path: string, answer: { abciCode: number; codespace: string; log: string }) {
    const { abciCode, codespace, log } = answer;
    super(`${endpoint} refused ${path}: ${log.slice(0, 500)}`, {
      code: "NODE_ERROR",
      details: log,
      isTransient: isPassingText(log),
      isOfContract: contractText.test(log),
    });
    this.abciCode = abciCode;
    this.codespace = codespace;
  }
}

/** True if the chain does not have the query at all (Cosmos SDK 0.50, `baseapp/abci.go`). */
export function isMissingQuery(error: unknown): error is QueryError {
  return error instanceof QueryError && /unknown query path/i.test(error.details ?? "");
}

/**
 * Queries the chain at a height, or at the newest.
 *
 * @param comet - CometBFT's RPC interface of a node.
 * @throws QueryError if the chain refuses; the errors of {@link JsonRpc}'s `read`.
 */
export function queryChain<T>(
  comet: JsonRpc,
  { path, request, decode }: ChainQuery<T>,
  { height, signal }: ReadOptions = {},
): Promise<T> {
  const params = { path, data: Buffer.from(request).toString("hex"), height: String(height ?? 0), prove: false };
  const title = `abci_query ${path}`;
  return comet.read(
    "abci_query",
    params,
    (answer) => {
      const response = answer.field("response");
      const abciCode = response.field("code").count();
      if (abciCode !== 0) {
        const codespace = response.optional("codespace")?.text() ?? "";
        const log = response.optional("log")?.text() ?? "";
        throw new QueryError(comet.endpoint, path, { abciCode, codespace, log: log === "" ? "no message" : log });
      }
      if (height !== undefined && height !== 0n && response.field("height").u64() !== height) {
        response.field("height").unreadable(`${height}, the requested height`);
      }
      // A message whose fields are all zero is empty and left out.
      const value = response.optional("value");
      try {
        return decode(value?.base64() ?? Buffer.alloc(0));
      } catch (cause) {
        if (cause instanceof NodeError) throw cause;
        return response.field("value").unreadable(`an answer to ${title}`, cause);
      }
    },
    signal,
  );
}

/**
 * True if an EVM node reads the state of its newest block, and not the one before. minievm returns a block and its receipts up
 * to 330 ms before it commits the block's state (recorded), and until then silently answers reads at that height from the
 * previous state, which is always committed.
 *
 * The nonce of the last transaction's sender shows it. A block without transactions changes no contract.
 *
 * @param sent - Transactions that need not be read, by hash: a node answers with all of their data.
 * @throws NodeError; the signal's reason when aborted.
 */
export async function isCommitted(
  rpc: Pick<JsonRpc, "read">,
  height: bigint,
  signal: AbortSignal | undefined,
  sent?: ReadonlyMap<string, TransactionSender>,
): Promise<boolean> {
  const block = `0x${height.toString(16)}`;
  const found = await rpc.read("eth_getBlockByNumber", [block, false], readLastHash, signal);
  // This node is behind the one that reported the height.
  if (found === undefined) return false;
  if (found.hash === undefined) return true;
  const last = sent?.get(found.hash) ?? (await rpc.read("eth_getTransactionByHash", [found.hash], readSender, signal));
  if (last === undefined) return false;
  const params = [last.from, block];
  return (await rpc.read("eth_getTransactionCount", params, (answer) => answer.quantity(), signal)) > last.nonce;
}

function readLastHash(block: Answer) {
  return block.value === null ? undefined : { hash: block.field("transactions").list().at(-1)?.hex() };
}

/** Who sent a transaction, and with which nonce. */
export interface TransactionSender {
  readonly from: string;
  readonly nonce: bigint;
}

function readSender(transaction: Answer): TransactionSender | undefined {
  if (transaction.value === null) return undefined;
  return { from: transaction.field("from").hex(), nonce: transaction.field("nonce").quantity() };
}
