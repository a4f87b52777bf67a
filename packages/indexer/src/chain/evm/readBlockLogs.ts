import { NodeError } from "@vipscore/core";
import { RpcError, type Answer } from "@vipscore/core/wire";
import { isUnreadable } from "../unreadable.ts";
import type { EvmRpc } from "./evmRpc.ts";
import { nftTopics, readNftLog, type NftLog } from "./nftLog.ts";
import type { NftLogs } from "./readNftLogs.ts";
import { listOf, lowerHex, quantity } from "./rpcValues.ts";

/** Logs that are left out because no way of asking could read them. */
export interface UnreadLogs {
  readonly height: number;
  /** Names the transaction or the block, and why. */
  readonly reason: string;
}

/** Failures of the same block in a row after which what cannot be read of it is left out. */
const mostFailures = 3;

/** With such words a node refuses an answer because of its size. */
const sizeTexts = /too (large|big|many|much)|more than|exceed|limit|response size|timed? ?out/i;

/**
 * Reads the logs of one block that a node did not answer at once: one topic after the other, log by log as they come; where
 * that fails too, one transaction's receipt after the other.
 */
export class BlockLogReader {
  readonly #rpc: EvmRpc;
  #height = -1;
  /** Failures in a row of the block at that height. */
  #failures = 0;

  constructor(rpc: EvmRpc) {
    this.#rpc = rpc;
  }

  /**
   * @param refused - Why the block was not answered at once.
   * @throws NodeError that names the block, until that has failed a few times; the signal's reason when aborted.
   */
  async read(height: number, refused: NodeError, signal: AbortSignal): Promise<NftLogs> {
    let block: BlockContents | undefined;
    try {
      block = await this.#readBlock(height, signal);
      return { logs: await this.#byTopic(block, signal), unread: [] };
    } catch (error) {
      signal.throwIfAborted();
      if (!isOfBlock(error)) throw error;
      if (block !== undefined) return this.#byTransaction({ ...block, height }, refused, signal);
      this.#giveUpOrThrow(height, error);
      return { logs: [], unread: [{ height, reason: `all logs of the block: ${error.shortMessage}` }] };
    }
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

  async #byTopic({ hash }: BlockContents, signal: AbortSignal): Promise<readonly NftLog[]> {
    const logs: NftLog[] = [];
    for (const topics of nftTopics) {
      // By its hash: a node behind a balancer that does not have the block refuses, where it would give no logs of a height.
      const call = { method: "eth_getLogs", params: [{ blockHash: hash, topics }] };
      const read = (answer: Answer, lists: readonly (readonly NftLog[])[]) => {
        listOf(answer);
        return lists.flat();
      };
      for (const log of await this.#rpc.readLists(call, { field: "result", keep: readNftLog, read }, signal)) {
        logs.push(log);
      }
    }
    return logs;
  }

  async #byTransaction(
    { height, transactions }: BlockContents & { readonly height: number },
    refused: NodeError,
    signal: AbortSignal,
  ): Promise<NftLogs> {
    const logs: NftLog[] = [];
    const unread: UnreadLogs[] = [];
    for (const hash of transactions) {
      try {
        const call = { method: "eth_getTransactionReceipt", params: [hash] };
        const read = ({ value }: Answer, lists: readonly (readonly NftLog[])[]) =>
          value === null ? undefined : lists.flat();
        const found = await this.#rpc.readLists(call, { field: "logs", keep: readNftLog, read }, signal);
        if (found === undefined) throw this.#blockRefused(height, refused);
        for (const log of found) logs.push(log);
      } catch (error) {
        signal.throwIfAborted();
        if (!isOfBlock(error)) throw error;
        this.#giveUpOrThrow(height, error);
        unread.push({ height, reason: `the logs of transaction ${hash}: ${error.shortMessage}` });
      }
    }
    return { logs, unread };
  }

  /** Throws until the block has failed a few times. */
  #giveUpOrThrow(height: number, error: NodeError): void {
    if (height !== this.#height) this.#failures = 0;
    this.#height = height;
    this.#failures += 1;
    // Only what is too much is left out: a node that refuses for another reason may be asked to serve it, or replaced.
    if (this.#failures < mostFailures || !isTooMuch(error)) throw this.#blockRefused(height, error);
  }

  #blockRefused(height: number, error: NodeError): NodeError {
    return new NodeError(`${this.#rpc.endpoint} does not give the logs of block ${height}: ${error.shortMessage}`, {
      code: error.code,
      metaMessages: ["Its transactions one by one are refused too; ask another node of the chain."],
      details: error.details ?? error.shortMessage,
      cause: error,
    });
  }
}

interface BlockContents {
  readonly hash: string;
  /** The transactions' hashes. */
  readonly transactions: readonly string[];
}

/** True for a failure that has to do with what was asked for, not with whether the node is there. */
function isOfBlock(error: unknown): error is NodeError {
  return error instanceof RpcError || isUnreadable(error);
}

function isTooMuch(error: NodeError): boolean {
  return sizeTexts.test(error.details ?? "") || isUnreadable(error);
}
