import { NodeError } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import type { HexAddress } from "../hexAddress.ts";
import { isUnreadable } from "../readErrors.ts";
import type { EvmRpc, RpcCall } from "./evmRpc.ts";
import { timeOf } from "./readBlockHeads.ts";
import { lowerHex, quantity } from "./rpcValues.ts";

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
 *
 * @throws NodeError, `NODE_UNREACHABLE` if the node does not have one of the blocks; the signal's reason when aborted.
 */
export async function readFullBlocks(
  rpc: EvmRpc,
  [first, last]: readonly [first: number, last: number],
  isWanted: (transaction: BlockTransaction) => boolean,
  signal: AbortSignal,
): Promise<readonly FullBlock[]> {
  const calls = Array.from({ length: last - first + 1 }, (_, index) => callOf(first + index));
  const keep = (element: Answer): BlockTransaction | undefined => {
    const transaction = readTransaction(element);
    return isWanted(transaction) ? transaction : undefined;
  };
  const outcomes = await rpc.readAll(
    calls,
    (answer, { height }) => {
      const list = requireBlock(rpc, answer, height).field("transactions").elements();
      return blockOf(
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
    else if (isUnreadable(outcome)) blocks.push(await readInPieces(rpc, callOf(first + index), keep, signal));
    else throw outcome;
  }
  return blocks;
}

interface BlockCall extends RpcCall {
  readonly height: number;
}

function callOf(height: number): BlockCall {
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
    blockOf(requireBlock(rpc, answer, height), height, count, transactions);
  return rpc.readLists(call, { field: "transactions", keep: keepCounted, read }, signal);
}

function requireBlock(rpc: EvmRpc, answer: Answer, height: number): Answer {
  if (answer.value !== null) return answer;
  throw new NodeError(`${rpc.endpoint} does not have block ${height}`, { code: "NODE_UNREACHABLE" });
}

function blockOf(answer: Answer, height: number, count: number, transactions: readonly BlockTransaction[]): FullBlock {
  const hash = lowerHex(answer.field("hash"), 32);
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
