import type { HexAddress } from "../hexAddress.ts";
import type { PartsOptions } from "../readAhead.ts";
import { readOutcomes, readTransactions, txHashOf, type TransactionOutcome } from "./blockTransactions.ts";
import type { CometNode } from "./cometNode.ts";
import { decodeCalls, type MessageCall } from "./decodeCalls.ts";
import { readBlockParts, type BlockHeader, type BlocksPart } from "./readBlockParts.ts";

/** A message of a transaction; gas and success are those of the whole transaction. */
export interface CosmosMessage extends MessageCall, TransactionOutcome {
  readonly height: number;
  /** The block's time, RFC 3339 in UTC with up to 6 fractional digits. */
  readonly timestamp: string;
  /** From 0, in its block. */
  readonly transactionIndex: number;
  /** From 0, in its transaction. */
  readonly messageIndex: number;
  /** Uppercase hex. */
  readonly txHash: string;
}

/** The transactions to read. */
export interface ReadCosmosTransactionsOptions extends PartsOptions {
  /** Contracts whose calls are read, on Move accounts of modules. Default: all messages. */
  readonly contracts?: readonly HexAddress[] | undefined;
}

/**
 * Reads the messages of all transactions in a range of blocks, also of those that failed, part by part, as
 * `readCosmosEvents` reads events. Bytes in a block that are not a transaction have no messages.
 *
 * A block with wanted messages costs two requests, another one with transactions one.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export function readCosmosTransactions(
  node: CometNode,
  { contracts, ...range }: ReadCosmosTransactionsOptions,
): AsyncGenerator<BlocksPart<CosmosMessage>, void, undefined> {
  const wanted = contracts === undefined ? undefined : new Set(contracts);
  const isWanted = ({ contract }: MessageCall): boolean =>
    wanted === undefined || (contract !== undefined && wanted.has(contract));
  return readBlockParts(node, range, (header, signal) => readBlockCalls(node, header, isWanted, signal));
}

async function readBlockCalls(
  node: CometNode,
  header: BlockHeader,
  isWanted: (call: MessageCall) => boolean,
  signal: AbortSignal,
): Promise<readonly CosmosMessage[]> {
  const decode = (bytes: Uint8Array) => {
    const calls = tryDecode(bytes).flatMap((call, messageIndex) => (isWanted(call) ? [{ ...call, messageIndex }] : []));
    return { txHash: txHashOf(bytes), calls };
  };
  const transactions = await readTransactions(node, header, decode, signal);
  if (transactions.every(({ calls }) => calls.length === 0)) return [];
  const outcomes = await readOutcomes(node, header, signal);
  const { height, timestamp } = header;
  return transactions.flatMap(({ txHash, calls }, transactionIndex) => {
    // There is one for each transaction.
    const { gasUsed = 0, success = false } = outcomes[transactionIndex] ?? {};
    const place = { height, timestamp, transactionIndex, txHash, gasUsed, success };
    return calls.map((call) => ({ ...call, ...place }));
  });
}

/** A sequencer can put any bytes into a block; only transactions can succeed. */
function tryDecode(bytes: Uint8Array): readonly MessageCall[] {
  try {
    return decodeCalls(bytes);
  } catch {
    return [];
  }
}
