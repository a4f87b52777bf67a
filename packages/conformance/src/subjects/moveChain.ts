import {
  Fee,
  RESTClient,
  TxAPI,
  type Coins,
  type Msg,
  type Pagination,
  type RawKey,
  type Resource,
  type TableEntry,
} from "@initia/initia.js";
import { BroadcastError, type SignedTransaction, type TransactionStatus } from "@vipscore/core";
import type { TransactionPort } from "@vipscore/core/engine";
import { readMoveChainId } from "@vipscore/move";
import { sendTransaction } from "../sendTransaction.ts";

interface SignOptions {
  readonly gas: number;
  /** Default: ten times the usual price of rollups, so that the price need not be read. */
  readonly fee?: string | Coins;
  readonly ahead?: bigint;
}

/** Entries of a table or resources per page. */
const pageLimit = 1_000;

/** A Move chain, through the REST client of initia.js. */
export class MoveChain implements TransactionPort {
  readonly restUrl: string;
  readonly rest: RESTClient;

  private constructor(restUrl: string, rest: RESTClient) {
    this.restUrl = restUrl;
    this.rest = rest;
  }

  static async connect(restUrl: string): Promise<MoveChain> {
    return new MoveChain(restUrl, new RESTClient(restUrl, { chainId: await readMoveChainId({ restUrl }) }));
  }

  /** Signs messages with the key's next sequence, or one that many later. */
  async sign(key: RawKey, msgs: Msg[], { gas, fee, ahead = 0n }: SignOptions): Promise<SignedTransaction> {
    const wallet = this.rest.wallet(key);
    const { account_number: accountNumber, sequence: next } = await wallet.accountNumberAndSequence();
    const sequence = next + Number(ahead);
    const amount = fee ?? `${Math.ceil(gas * 0.15)}umin`;
    const tx = await wallet.createAndSignTx({ msgs, fee: new Fee(gas, amount), sequence, accountNumber });
    return { hash: TxAPI.hash(tx), sequence: BigInt(sequence), gas: BigInt(gas), bytes: tx.toBytes() };
  }

  /** Sends messages that must succeed, without the client. */
  async run(key: RawKey, msgs: Msg[], gas: number): Promise<void> {
    const { hash, outcome, details } = await sendTransaction(this, await this.sign(key, msgs, { gas }));
    if (outcome !== "DONE") throw new Error(`transaction ${hash} failed: ${details}`);
  }

  async broadcast({ hash, bytes }: SignedTransaction): Promise<void> {
    const answer = await this.rest.tx.broadcastSync(Buffer.from(bytes).toString("base64"));
    if (!("code" in answer) || answer.code === 0) return;
    throw new BroadcastError(`the node refused ${hash}: ${answer.raw_log}`, { refusal: "other" });
  }

  async lookUp(hash: string): Promise<TransactionStatus> {
    const info = await this.rest.tx.txInfo(hash).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (info === undefined) return { state: "unknown" };
    const { code, height, gas_used: gasUsed, raw_log: details } = info;
    return { state: "included", succeeded: code === 0, height: BigInt(height), gasUsed: BigInt(gasUsed), details };
  }

  /** Returns the height of a transaction that is in a block. */
  async heightOf(hash: string): Promise<number> {
    return (await this.rest.tx.txInfo(hash)).height;
  }

  /** Returns all resources of an account at a height, as JSON. */
  async resources(address: string, height: number): Promise<readonly string[]> {
    const path = `/initia/move/v1/accounts/${address}/resources`;
    const resources = await this.#pages<Resource>(path, "resources", height);
    return resources.map(({ move_resource: resource }) => resource);
  }

  /** Returns all entries of a table at a height; keys and values as JSON. */
  tableEntries(handle: string, height: number): Promise<readonly Omit<TableEntry, "address">[]> {
    return this.#pages(`/initia/move/v1/tables/${handle}/entries`, "table_entries", height);
  }

  async #pages<T>(path: string, field: string, height: number): Promise<readonly T[]> {
    const all: T[] = [];
    let key: string | undefined;
    do {
      const page = { "pagination.limit": String(pageLimit), ...(key === undefined ? {} : { "pagination.key": key }) };
      const headers = { "x-cosmos-block-height": String(height) };
      const answer = await this.rest.apiRequester.get<Record<string, unknown>>(path, page, headers);
      all.push(...(answer[field] as readonly T[]));
      key = (answer["pagination"] as Pagination | undefined)?.next_key ?? undefined;
    } while (key);
    return all;
  }
}

/** True for the error of initia.js's HTTP client for status 404. */
function isNotFound(error: unknown): boolean {
  return error instanceof Error && (error as { response?: { readonly status?: number } }).response?.status === 404;
}
