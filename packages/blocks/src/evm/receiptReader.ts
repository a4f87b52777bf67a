import { NodeError } from "@vipscore/core";
import { RpcError, type Answer } from "@vipscore/core/wire";
import { isMissingMethod, isUnreadable } from "../readErrors.ts";
import type { EvmRpc, Outcome } from "./evmRpc.ts";
import type { FullBlock } from "./fullBlocks.ts";
import { listOf, lowerHex, quantity } from "./rpcValues.ts";

/** The outcome of a transaction. */
export interface TransactionReceipt {
  readonly gasUsed: bigint;
  readonly success: boolean;
}

/** Reads the receipts of the wanted transactions of blocks, by hash. */
export type ReceiptReader = (
  blocks: readonly FullBlock[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, TransactionReceipt>>;

interface PlacedReceipt extends TransactionReceipt {
  readonly txHash: string;
  readonly blockHash: string;
}

/**
 * Creates a reader of receipts: block by block if at least half of a block's transactions are wanted and the node has
 * `eth_getBlockReceipts`, otherwise transaction by transaction.
 *
 * The reader throws NodeError, `NODE_UNREACHABLE` if the node does not have a receipt, or has it for another block; the
 * signal's reason when aborted.
 */
export function receiptReader(rpc: EvmRpc): ReceiptReader {
  let hasBlockReceipts = true;
  const readOfBlocks = async (
    blocks: readonly FullBlock[],
    signal: AbortSignal,
  ): Promise<readonly (readonly PlacedReceipt[] | undefined)[]> => {
    const ask = (some: readonly FullBlock[]) =>
      rpc.readAll(
        some.map(({ height }) => ({ method: "eth_getBlockReceipts", params: [quantity(height)] })),
        readReceipts,
        signal,
      );
    // One first: a node without the method is not asked for all of them.
    const first = await ask(blocks.slice(0, 1));
    if (isMissingMethod(first[0])) hasBlockReceipts = false;
    const outcomes = hasBlockReceipts ? [...first, ...(await ask(blocks.slice(1)))] : [];
    // Receipts of a block that are refused or too large are read one by one.
    return outcomes.map((outcome) => (outcome instanceof NodeError ? unlessDown(outcome) : outcome));
  };
  return async (blocks, signal) => {
    const found = new Map<string, TransactionReceipt>();
    const add = ({ gasUsed, success, ...place }: PlacedReceipt) => found.set(keyOf(place), { gasUsed, success });
    const dense = hasBlockReceipts ? blocks.filter(isDense) : [];
    const ofBlocks = await readOfBlocks(dense, signal);
    for (const receipts of ofBlocks) for (const receipt of receipts ?? []) add(receipt);
    const missing = blocks.flatMap(({ hash, transactions }) =>
      transactions.map(({ txHash }) => ({ txHash, blockHash: hash })).filter((place) => !found.has(keyOf(place))),
    );
    for (const receipt of await readOneByOne(rpc, missing, signal)) add(receipt);
    return new Map(
      blocks.flatMap(({ height, hash, transactions }) =>
        transactions.map(({ txHash }) => {
          const receipt = found.get(keyOf({ txHash, blockHash: hash }));
          if (receipt !== undefined) return [txHash, receipt] as const;
          const details = `no receipt of transaction ${txHash} in block ${height}`;
          throw new NodeError(`${rpc.endpoint} has ${details}`, { code: "NODE_UNREACHABLE", details });
        }),
      ),
    );
  };
}

/** A receipt belongs to its block, too: behind a balancer, another node may have the transaction in another one. */
function keyOf({ txHash, blockHash }: Pick<PlacedReceipt, "txHash" | "blockHash">): string {
  return `${txHash} ${blockHash}`;
}

function isDense({ count, transactions }: FullBlock): boolean {
  return transactions.length > 1 && transactions.length * 2 >= count;
}

async function readOneByOne(
  rpc: EvmRpc,
  places: readonly { readonly txHash: string }[],
  signal: AbortSignal,
): Promise<readonly PlacedReceipt[]> {
  const calls = places.map(({ txHash }) => ({ method: "eth_getTransactionReceipt", params: [txHash] }));
  const outcomes: readonly Outcome<PlacedReceipt | undefined>[] = await rpc.readAll(calls, tryReceipt, signal);
  const receipts: PlacedReceipt[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const call = calls[index];
    let receipt = outcome;
    if (receipt instanceof NodeError && call !== undefined) {
      if (!isUnreadable(receipt)) throw receipt;
      // Its logs are too large together.
      receipt = await rpc.readLists(call, { field: "logs", keep: () => undefined, read: tryReceipt }, signal);
    }
    if (receipt !== undefined && !(receipt instanceof NodeError)) receipts.push(receipt);
  }
  return receipts;
}

function readReceipts(answer: Answer): readonly PlacedReceipt[] {
  return listOf(answer).map(readReceipt);
}

function tryReceipt(answer: Answer): PlacedReceipt | undefined {
  return answer.value === null ? undefined : readReceipt(answer);
}

function readReceipt(answer: Answer): PlacedReceipt {
  return {
    txHash: lowerHex(answer.field("transactionHash"), 32),
    blockHash: lowerHex(answer.field("blockHash"), 32),
    gasUsed: answer.field("gasUsed").quantity(),
    success: answer.field("status").quantity() === 1n,
  };
}

/** Undefined for a failure that concerns only the request. */
function unlessDown(error: NodeError): undefined {
  if (error instanceof RpcError || isUnreadable(error)) return undefined;
  throw error;
}
