import { NodeError } from "@vipscore/core";
import { RpcError, type Answer } from "@vipscore/core/wire";
import type { HexAddress } from "../hexAddress.ts";
import { isMissingMethod, isUnreadable } from "../readErrors.ts";
import type { Outcome, RpcCall } from "./batchReader.ts";
import type { EvmRpc } from "./evmRpc.ts";
import { requireHeight, timeOf } from "./readBlockHeads.ts";
import { listOf, lowerHex, quantity } from "./rpcValues.ts";

/** A transaction as a block has it. */
export interface BlockTransaction {
  /** In its block, from 0; minievm counts from 1. */
  readonly transactionIndex: number;
  readonly txHash: HexAddress;
  readonly from: HexAddress;
  /** Undefined for the creation of a contract. */
  readonly to: HexAddress | undefined;
  /** The first 4 bytes of a call's data; empty for a creation, and for a call with less. */
  readonly selector: HexAddress | "";
  /** In wei. */
  readonly value: bigint;
}

/** A block and its wanted transactions. */
export interface FullBlock {
  readonly height: number;
  /** Lowercase hex. */
  readonly hash: HexAddress;
  /** RFC 3339 in UTC with whole seconds. */
  readonly timestamp: string;
  /** Number of all of its transactions. */
  readonly count: number;
  /** In their order. */
  readonly transactions: readonly BlockTransaction[];
}

/**
 * Reads the blocks from `first` to `last`, inclusive, in batches; a block that is too large for that transaction by
 * transaction.
 */
export async function readFullBlocks(
  rpc: EvmRpc,
  [first, last]: readonly [first: number, last: number],
  isWanted: (transaction: BlockTransaction) => boolean,
  signal: AbortSignal,
): Promise<readonly FullBlock[]> {
  const calls = Array.from({ length: last - first + 1 }, (_, index) => blockCall(first + index));
  const keep = (element: Answer): BlockTransaction | undefined => {
    const transaction = readTransaction(element);
    return isWanted(transaction) ? transaction : undefined;
  };
  const outcomes = await rpc.readAll(
    calls,
    (answer, { height }) => {
      const list = requireBlock(rpc, answer, height).field("transactions").elements();
      return assembleBlock(
        answer,
        height,
        list.length,
        list.flatMap((element) => keep(element) ?? []),
      );
    },
    signal,
  );
  const blocks: FullBlock[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (!(outcome instanceof NodeError)) blocks.push(outcome);
    else if (isUnreadable(outcome)) blocks.push(await readInPieces(rpc, blockCall(first + index), keep, signal));
    else throw outcome;
  }
  return blocks;
}

interface BlockCall extends RpcCall {
  readonly height: number;
}

function blockCall(height: number): BlockCall {
  return { method: "eth_getBlockByNumber", params: [quantity(height), true], height };
}

function readInPieces(
  rpc: EvmRpc,
  call: BlockCall,
  keep: (element: Answer) => BlockTransaction | undefined,
  signal: AbortSignal,
): Promise<FullBlock> {
  const { height } = call;
  // Counted from the highest index, because only wanted transactions are kept.
  let count = 0;
  const keepCounted = (element: Answer, index: number): BlockTransaction | undefined => {
    count = index + 1;
    return keep(element);
  };
  const read = (answer: Answer, [transactions = []]: readonly (readonly BlockTransaction[])[]): FullBlock =>
    assembleBlock(requireBlock(rpc, answer, height), height, count, transactions);
  return rpc.readLists(call, { field: "transactions", keep: keepCounted, read }, signal);
}

function requireBlock(rpc: EvmRpc, answer: Answer, height: number): Answer {
  if (answer.value !== null) return answer;
  throw new NodeError(`${rpc.endpoint} does not have block ${height}`, { code: "NODE_UNREACHABLE" });
}

function assembleBlock(
  answer: Answer,
  height: number,
  count: number,
  transactions: readonly BlockTransaction[],
): FullBlock {
  const hash = lowerHex(answer.field("hash"), 32);
  requireHeight(answer, height);
  const hashes = new Set(transactions.map(({ txHash }) => txHash));
  if (hashes.size < transactions.length) answer.unreadable("a block that has each transaction once");
  const inOrder = [...transactions].sort((one, other) => one.transactionIndex - other.transactionIndex);
  return { height, hash, timestamp: timeOf(answer), count, transactions: inOrder };
}

/** A selector as `0x` and 8 digits. */
const selectorLength = 10;

function readTransaction(answer: Answer): BlockTransaction {
  const to = answer.optional("to");
  const input = lowerHex(answer.field("input"));
  const isCall = to !== undefined && input.length >= selectorLength;
  return {
    transactionIndex: answer.field("transactionIndex").hexCount(),
    txHash: lowerHex(answer.field("hash"), 32),
    from: lowerHex(answer.field("from"), 20),
    to: to === undefined ? undefined : lowerHex(to, 20),
    selector: isCall ? `0x${input.slice(2, selectorLength)}` : "",
    value: answer.field("value").quantity(),
  };
}

/** The outcome of a transaction. */
export interface TransactionReceipt {
  readonly gasUsed: bigint;
  readonly success: boolean;
}

/** Reads the receipts of the wanted transactions of blocks, by hash. */
type ReceiptReader = (
  blocks: readonly FullBlock[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, TransactionReceipt>>;

interface PlacedReceipt extends TransactionReceipt {
  readonly txHash: string;
  readonly blockHash: string;
}

/**
 * Reads receipts block by block if at least half of a block's transactions are wanted and the node has `eth_getBlockReceipts`.
 * A missing receipt, or one of another block, is `NODE_UNREACHABLE`.
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
        (answer) => listOf(answer).map(readPlacedReceipt),
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
    const add = ({ gasUsed, success, ...place }: PlacedReceipt) => found.set(receiptKey(place), { gasUsed, success });
    const dense = hasBlockReceipts ? blocks.filter(isDense) : [];
    const ofBlocks = await readOfBlocks(dense, signal);
    for (const receipts of ofBlocks) for (const receipt of receipts ?? []) add(receipt);
    const missing = blocks.flatMap(({ hash, transactions }) =>
      transactions.map(({ txHash }) => ({ txHash, blockHash: hash })).filter((place) => !found.has(receiptKey(place))),
    );
    for (const receipt of await readOneByOne(rpc, missing, signal)) add(receipt);
    return new Map(
      blocks.flatMap(({ height, hash, transactions }) =>
        transactions.map(({ txHash }) => {
          const receipt = found.get(receiptKey({ txHash, blockHash: hash }));
          if (receipt !== undefined) return [txHash, receipt] as const;
          const details = `no receipt of transaction ${txHash} in block ${height}`;
          throw new NodeError(`${rpc.endpoint} has ${details}`, { code: "NODE_UNREACHABLE", details });
        }),
      ),
    );
  };
}

/** A receipt belongs to its block, too: behind a balancer, another node may have the transaction in another one. */
function receiptKey({ txHash, blockHash }: Pick<PlacedReceipt, "txHash" | "blockHash">): string {
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

function tryReceipt(answer: Answer): PlacedReceipt | undefined {
  return answer.value === null ? undefined : readPlacedReceipt(answer);
}

function readPlacedReceipt(answer: Answer): PlacedReceipt {
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
