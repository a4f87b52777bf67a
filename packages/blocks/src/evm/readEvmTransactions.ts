import { isRefusalToWork, type Answer } from "@vipscore/core/wire";
import type { HexAddress } from "../hexAddress.ts";
import { readAhead, type PartsOptions } from "../readAhead.ts";
import { isMissingMethod } from "../readErrors.ts";
import type { EvmRpc } from "./evmRpc.ts";
import { readFullBlocks, receiptReader, type BlockTransaction, type TransactionReceipt } from "./fullBlocks.ts";

/** A transaction, and what came of it. */
export interface EvmTransaction extends BlockTransaction, TransactionReceipt {
  readonly height: number;
  /** The block's time, RFC 3339 in UTC with whole seconds. */
  readonly timestamp: string;
}

/** The transactions of a part of a range of blocks. */
export interface EvmTransactionsPart {
  readonly first: number;
  /** Inclusive; the next part begins after it. */
  readonly last: number;
  /** The hash of the first block, lowercase hex. */
  readonly firstHash: string;
  /** The hash of the last block, lowercase hex. */
  readonly lastHash: string;
  /** In the order of the chain. */
  readonly transactions: readonly EvmTransaction[];
}

/** The transactions to read. */
export interface ReadEvmTransactionsOptions extends PartsOptions {
  /** Contracts whose calls are read, in lowercase. Default: all transactions. */
  readonly contracts?: readonly HexAddress[] | undefined;
}

const maxBlocks = 500;
const maxTransactions = 20_000;
/** Blocks that are read at once: first, before it is known how full they are, and at most. */
const firstWidth = 16;
const widest = 200;

/**
 * Reads the transactions of a range of blocks, also those that failed, part by part. While the caller uses a part, the next
 * one is read; the memory of these two is all that is needed. A part has up to 500 blocks, and ends once it has 20,000
 * transactions, plus those of up to 200 blocks.
 *
 * A failure ends it. To continue, start again after the last part: parts that were given are complete.
 *
 * @throws NodeError, `NODE_UNREACHABLE` for one if the node does not have a block of the range; the signal's reason when
 * aborted.
 *
 * @example
 * for await (const { transactions, last } of readEvmTransactions(rpc, { first: 1, last: 1_000_000, signal })) …
 */
export function readEvmTransactions(
  rpc: EvmRpc,
  { contracts, ...range }: ReadEvmTransactionsOptions,
): AsyncGenerator<EvmTransactionsPart, void, undefined> {
  const wanted = contracts === undefined ? undefined : new Set(contracts);
  const isWanted = ({ to }: BlockTransaction): boolean => wanted === undefined || (to !== undefined && wanted.has(to));
  return readAhead(range, (signal) => partReader(rpc, isWanted, signal));
}

function partReader(rpc: EvmRpc, isWanted: (transaction: BlockTransaction) => boolean, signal: AbortSignal) {
  const readReceipts = receiptReader(rpc);
  let width = firstWidth;
  return async (first: number, end: number): Promise<EvmTransactionsPart> => {
    const transactions: EvmTransaction[] = [];
    const farthest = Math.min(end, first + maxBlocks - 1);
    let last = first - 1;
    let firstHash: string | undefined;
    let lastHash = "";
    while (last < farthest && transactions.length < maxTransactions) {
      const range = [last + 1, Math.min(farthest, last + width)] as const;
      const blocks = await readFullBlocks(rpc, range, isWanted, signal);
      const receipts = await readReceipts(blocks, signal);
      const before = transactions.length;
      for (const { height, hash, timestamp, transactions: found } of blocks) {
        firstHash ??= hash;
        lastHash = hash;
        for (const transaction of found) {
          const receipt = receipts.get(transaction.txHash);
          // There is one for each.
          if (receipt !== undefined) transactions.push({ ...transaction, ...receipt, height, timestamp });
        }
      }
      last = range[1];
      const isFull = transactions.length - before > maxTransactions / 4;
      width = isFull ? Math.max(1, Math.floor(width / 2)) : Math.min(widest, width * 2);
    }
    return { first, last, firstHash: firstHash ?? "", lastHash, transactions };
  };
}

/**
 * minievm's method (`jsonrpc/namespaces/cosmos/api.go`); it returns hex without `0x`, zeros for an unknown transaction.
 */
const method = "cosmos_cosmosTxHashByTxHash";

/** Maps hashes of EVM transactions to those of their Cosmos transactions. */
export class CosmosHashes {
  readonly #rpc: EvmRpc;
  /** True if the node lacks the method, which does not change. */
  #isMissing = false;

  constructor(rpc: EvmRpc) {
    this.#rpc = rpc;
  }

  /**
   * Returns the Cosmos hash in uppercase hex by EVM hash; without unknown transactions, and empty for a node without
   * Cosmos transactions.
   *
   * @throws NodeError; the signal's reason when aborted.
   */
  async read(txHashes: Iterable<string>, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const hashes = [...new Set(txHashes)];
    const [first] = hashes;
    if (this.#isMissing || first === undefined) return new Map();
    const ask = (some: readonly string[]) =>
      this.#rpc.readAll(
        some.map((txHash) => ({ method, params: [txHash] })),
        readHash,
        signal,
      );
    const [one] = await ask([first]);
    if (isMissingMethod(one)) {
      this.#isMissing = true;
      return new Map();
    }
    const found = [one, ...(await ask(hashes.slice(1)))];
    for (const hash of found) if (isRefusalToWork(hash)) throw hash;
    return new Map(
      hashes.flatMap((txHash, index) => {
        const hash = found[index];
        return typeof hash === "string" ? [[txHash, hash] as const] : [];
      }),
    );
  }
}

function readHash({ value }: Answer): string | undefined {
  const [, digits] = (typeof value === "string" && /^(?:0x)?([0-9a-f]{64})$/i.exec(value)) || [];
  return digits === undefined || /^0+$/.test(digits) ? undefined : digits.toUpperCase();
}
