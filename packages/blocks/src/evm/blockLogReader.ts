import { NodeError } from "@vipscore/core";
import { isOfSize, RpcError, type Answer } from "@vipscore/core/wire";
import { isUnreadable } from "../readErrors.ts";
import type { EvmRpc } from "./evmRpc.ts";
import { Contradiction, logChecker } from "./logChecker.ts";
import { hexField, listOf, lowerHex, quantity, topicsOf, type LogPlace } from "./rpcValues.ts";

/** Logs that are skipped because no request could read them. */
export interface UnreadLogs {
  readonly height: number;
  /** Names the transaction or the block, and why. */
  readonly reason: string;
}

/** The logs of a range of blocks. */
export interface BlockLogs<L> {
  /** In the order of the chain. */
  readonly logs: readonly L[];
  /** Existing data that no request could read. */
  readonly unread: readonly UnreadLogs[];
  /** The hashes of the blocks that have logs, by height. */
  readonly hashes: ReadonlyMap<number, string>;
}

/** Failures in a row of the same block before its unreadable parts are skipped. */
const maxFailures = 3;

/**
 * Reads the logs of a block that a node did not return at once: filter by filter, streaming log by log; if that fails
 * too, receipt by receipt.
 */
export class BlockLogReader<L extends LogPlace> {
  readonly #rpc: EvmRpc;
  readonly #choice: LogChoice<L>;
  #height = -1;
  /** Failures in a row of the block at this height. */
  #failures = 0;

  constructor(rpc: EvmRpc, choice: LogChoice<L>) {
    this.#rpc = rpc;
    this.#choice = choice;
  }

  /** @throws NodeError that names the block, until that has failed a few times; the signal's reason when aborted. */
  async read(height: number, refused: NodeError, signal: AbortSignal): Promise<BlockLogs<L>> {
    let block: BlockContents | undefined;
    try {
      block = await this.#readBlock(height, signal);
      const found = await this.#byFilter({ ...block, height }, signal);
      if (found !== undefined) return found;
    } catch (error) {
      signal.throwIfAborted();
      if (!isOfBlock(error)) throw error;
      if (block === undefined) {
        this.#giveUpOrThrow(height, error);
        const reason = `all logs of the block: ${error.shortMessage}`;
        return { logs: [], unread: [{ height, reason }], hashes: new Map() };
      }
    }
    return this.#byTransaction({ ...block, height }, refused, signal);
  }

  async #readBlock(height: number, signal: AbortSignal): Promise<BlockContents> {
    const read = (answer: Answer): BlockContents | undefined => {
      if (answer.value === null) return undefined;
      const transactions = listOf(answer.field("transactions")).map((transaction) => lowerHex(transaction, 32));
      return { hash: lowerHex(answer.field("hash"), 32), transactions };
    };
    const block = await this.#rpc.read("eth_getBlockByNumber", [quantity(height), false], read, signal);
    if (block !== undefined) return block;
    throw new NodeError(`${this.#rpc.endpoint} does not have block ${height} yet`, { code: "NODE_UNREACHABLE" });
  }

  /** Undefined if only receipts can show whether the node has repeated a log. */
  async #byFilter({ hash, height }: PlacedContents, signal: AbortSignal): Promise<BlockLogs<L> | undefined> {
    const logs: L[] = [];
    const alike = new Set<string>();
    const { filters, keep } = this.#choice;
    const hashes = new Map([[height, hash]]);
    const common = { endpoint: this.#rpc.endpoint, keep, range: [height, height], hashes, alike } as const;
    for (const filter of filters) {
      // By hash: a node behind a balancer without the block then refuses; by height it would return no logs.
      const call = { method: "eth_getLogs", params: [{ blockHash: hash, ...filterParameter(filter) }], tries: 1 };
      const read = (answer: Answer, lists: readonly (readonly L[])[]) => {
        listOf(answer);
        return lists.flat();
      };
      const how = {
        field: "result",
        keep: logChecker({ ...common, isAsked: (log) => matchesFilter(filter, log) }),
        read,
      };
      for (const log of await this.#rpc.readLists(call, how, signal)) logs.push(log);
      if (alike.size > 0) return undefined;
    }
    return { logs, unread: [], hashes };
  }

  async #byTransaction(
    { height, hash: blockHash, transactions }: PlacedContents,
    refused: NodeError,
    signal: AbortSignal,
  ): Promise<BlockLogs<L>> {
    const logs: L[] = [];
    const unread: UnreadLogs[] = [];
    const { filters, keep } = this.#choice;
    const keepMatching = (log: Answer) =>
      filters.some((filter) => matchesFilter(filter, log)) ? keep(log) : undefined;
    const hashes = new Map([[height, blockHash]]);
    const check = { endpoint: this.#rpc.endpoint, keep: keepMatching, range: [height, height], hashes } as const;
    for (const hash of transactions) {
      try {
        const call = { method: "eth_getTransactionReceipt", params: [hash] };
        const read = ({ value }: Answer, lists: readonly (readonly L[])[]) =>
          value === null ? undefined : lists.flat();
        const found = await this.#rpc.readLists(call, { field: "logs", keep: logChecker(check), read }, signal);
        if (found === undefined) throw this.#blockRefused(height, refused);
        for (const log of found) logs.push(log);
      } catch (error) {
        signal.throwIfAborted();
        if (!isOfBlock(error)) throw error;
        this.#giveUpOrThrow(height, error);
        unread.push({ height, reason: `the logs of transaction ${hash}: ${error.shortMessage}` });
      }
    }
    return { logs, unread, hashes };
  }

  #giveUpOrThrow(height: number, error: NodeError): void {
    if (height !== this.#height) this.#failures = 0;
    this.#height = height;
    this.#failures += 1;
    // Only oversized data is skipped: a node that refuses for another reason can be fixed or replaced.
    if (this.#failures < maxFailures || !isTooMuch(error)) throw this.#blockRefused(height, error);
  }

  #blockRefused(height: number, error: NodeError): NodeError {
    return new NodeError(`${this.#rpc.endpoint} does not give the logs of block ${height}: ${error.shortMessage}`, {
      code: error.code,
      metaMessages: ["Its transactions are refused one by one too; use another node of the chain."],
      details: error.details ?? error.shortMessage,
      cause: error,
    });
  }
}

interface PlacedContents extends BlockContents {
  readonly height: number;
}

interface BlockContents {
  readonly hash: string;
  readonly transactions: readonly string[];
}

/** True for a failure caused by the request, not by the node's availability. */
function isOfBlock(error: unknown): error is NodeError {
  if (error instanceof Contradiction) return false;
  return error instanceof RpcError || isUnreadable(error);
}

function isTooMuch(error: NodeError): boolean {
  return isOfSize(error) || isUnreadable(error);
}

/** The logs to read, as in `eth_getLogs`. */
export interface LogFilter {
  /** Contracts whose logs are read, at least one; default: all contracts. */
  readonly addresses?: readonly `0x${string}`[] | undefined;
  /**
   * For each position the topic that a log must have there, or several of which it must have one; `null` for any topic.
   * A log must have at least as many topics. Default: all logs.
   */
  readonly topics?: readonly (string | readonly string[] | null)[] | undefined;
}

/** The logs to read, and the parts of them to keep. */
export interface LogChoice<L> {
  /** A log that several filters ask for can be returned several times. */
  readonly filters: readonly LogFilter[];
  /** The part to keep of a log that a filter asks for; undefined keeps nothing. Its errors are those of the answer. */
  readonly keep: (log: Answer) => L | undefined;
}

/** The filter with addresses and topics as a node writes them. */
export function lowerFilter({ addresses, topics }: LogFilter): LogFilter {
  return {
    addresses: addresses?.map(lowered),
    topics: topics?.map((topic) => {
      if (topic === null) return null;
      return typeof topic === "string" ? lowered(topic) : topic.map(lowered);
    }),
  };
}

function lowered(hex: string): `0x${string}` {
  return `0x${hex.slice(2).toLowerCase()}`;
}

/** The filter as a parameter of `eth_getLogs`, without the blocks. */
export function filterParameter({ addresses, topics }: LogFilter): object {
  return { ...(addresses === undefined ? {} : { address: addresses }), ...(topics === undefined ? {} : { topics }) };
}

/** True if a filter in lowercase asks for a log of a node's answer. Receipts have all logs of a transaction. */
export function matchesFilter({ addresses, topics = [] }: LogFilter, log: Answer): boolean {
  if (addresses !== undefined && !addresses.includes(hexField(log, "address", 20))) return false;
  const found: readonly string[] = topicsOf(log);
  if (found.length < topics.length) return false;
  return topics.every((wanted, index) => {
    if (wanted === null) return true;
    const topic = found[index] ?? "";
    return typeof wanted === "string" ? topic === wanted : wanted.includes(topic);
  });
}
