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
import { BroadcastError, type Account, type SignedTransaction, type TransactionStatus } from "@vipscore/core";
import type { TransactionPort } from "@vipscore/core/engine";
import { classifyRefusal } from "@vipscore/cosmos";
import { readMoveChainId } from "@vipscore/move";
import { sendTransaction } from "../sendTransaction.ts";
import type {
  MembersPage,
  Ownership,
  Page,
  PageStart,
  PublishedPage,
  Row,
  StageView,
  SubjectReader,
} from "../subject.ts";
import { moveHex } from "./moveCalls.ts";

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
    const { code, codespace = "", raw_log: log } = answer;
    // A busy node has not executed it yet, so it was sent again.
    if (classifyRefusal({ codespace, code: Number(code), log }) === "known") return;
    throw new BroadcastError(`the node refused ${hash}: ${log}`, { refusal: "other" });
  }

  async lookUp(hash: string): Promise<TransactionStatus> {
    const info = await this.rest.tx.txInfo(hash).catch((error: unknown) => {
      if (isResourceMissing(error)) return undefined;
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
function isResourceMissing(error: unknown): boolean {
  return error instanceof Error && (error as { response?: { readonly status?: number } }).response?.status === 404;
}

/**
 * Returns a line for each entry of a table that a transaction changed, of the tables that an account's resources lead to: an entry
 * whose key has the number of one of the stages, and everything below it.
 */
export async function changedEntries(
  chain: MoveChain,
  { owner, stages, hash }: { readonly owner: string; readonly stages: readonly bigint[]; readonly hash: string },
): Promise<readonly string[]> {
  const height = await chain.heightOf(hash);
  const [before, after] = await Promise.all([
    entriesOf(chain, { owner, stages, height: height - 1 }),
    entriesOf(chain, { owner, stages, height }),
  ]);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => `${key} from ${before.get(key) ?? "nothing"} to ${after.get(key) ?? "nothing"}`);
}

/** Walks through the tables at a height, and returns the stages' entries by their path. */
async function entriesOf(
  chain: MoveChain,
  { owner, stages, height }: { readonly owner: string; readonly stages: readonly bigint[]; readonly height: number },
): Promise<ReadonlyMap<string, string>> {
  const number = new RegExp(`(?<!\\d)(?:${stages.join("|")})(?!\\d)`);
  const found = new Map<string, string>();
  const walk = async (path: string, value: string, isOwn: boolean): Promise<void> => {
    for (const [, handle = ""] of value.matchAll(/"handle":"(0x[0-9a-f]+)"/g)) {
      for (const entry of await chain.tableEntries(handle, height)) {
        const below = `${path}[${entry.key}]`;
        const isOfStage = isOwn || number.test(entry.key);
        if (isOfStage) found.set(below, entry.value);
        await walk(below, entry.value, isOfStage);
      }
    }
  };
  for (const resource of await chain.resources(owner, height)) {
    const { type } = JSON.parse(resource) as { readonly type: string };
    await walk(type, resource, false);
  }
  return found;
}

/** Converts an address as the VM writes it, of up to 64 hex digits, to an `Account`. */
export function accountOfMove(text: string): Account {
  const hex = text.slice(2).padStart(64, "0");
  return (hex.startsWith("0".repeat(24)) ? `0x${hex.slice(24)}` : `0x${hex}`) as Account;
}

interface MoveRow {
  readonly addr: string;
  readonly score: string;
}

/** The views of the Move module, through initia.js, with arguments and values in JSON; 64-bit integers are text. */
export class MoveReader implements SubjectReader {
  readonly #rest: RESTClient;
  readonly #module: Account;

  constructor(rest: RESTClient, module: Account) {
    this.#rest = rest;
    this.#module = module;
  }

  getVersion(): Promise<string> {
    return this.#view("contract_version");
  }

  async getInitStage(): Promise<bigint> {
    return BigInt(await this.#view<string>("get_init_stage"));
  }

  async getStage(stage: bigint): Promise<StageView> {
    const view = await this.#view<{
      readonly exists: boolean;
      readonly total_score: string;
      readonly is_finalized: boolean;
      readonly score_count: string;
      readonly revision: string;
    }>("get_stage", `${stage}`);
    const { exists, total_score: total, is_finalized: isFinalized, score_count: count, revision } = view;
    return { exists, total: BigInt(total), isFinalized, count: BigInt(count), revision: BigInt(revision) };
  }

  async getScore(stage: bigint, account: Account): Promise<bigint | undefined> {
    const [score] = await this.#view<readonly (string | null)[]>("get_scores_of", `${stage}`, [spell(account)]);
    return typeof score === "string" ? BigInt(score) : undefined;
  }

  async getPage(stage: bigint, limit: number, from?: string): Promise<Page> {
    const rows = await this.#page(stage, limit, from);
    // A full page may be the last; the next page is then empty (M12).
    const isLast = rows.length < Math.min(limit, 1_000);
    return { rows, next: isLast ? undefined : rows.at(-1)?.account };
  }

  async getMembers(): Promise<readonly Account[]> {
    const members: Account[] = [];
    for (let from: string | undefined = "0"; from !== undefined;) {
      const page: MembersPage = await this.getMembersPage(1_000, from);
      members.push(...page.members);
      from = page.next;
    }
    return members;
  }

  async getMemberCount(): Promise<number> {
    return Number(await this.#view<string>("get_deployer_count"));
  }

  async getMembersPage(limit: number, from = "0"): Promise<MembersPage> {
    const members = (await this.#view<readonly string[]>("get_deployers", from, `${limit}`)).map(accountOfMove);
    // A full page may be the last; the next page is then empty.
    const isLast = members.length < Math.min(limit, 1_000);
    return { members, next: isLast ? undefined : `${Number(from) + members.length}` };
  }

  async getOwnership(): Promise<Ownership> {
    const owner = await this.#view<string>("get_owner");
    const pending = await this.#view<string | null>("get_pending_owner");
    const finalizer = await this.#view<string | null>("get_finalizer");
    const othersManage = await this.#view<boolean>("publisher_manages");
    const named = (text: string | null): Account | undefined => (text === null ? undefined : accountOfMove(text));
    return { owner: accountOfMove(owner), pendingOwner: named(pending), finalizer: named(finalizer), othersManage };
  }

  async getPublishedScore(stage: bigint, account: Account): Promise<bigint | "missing"> {
    return BigInt(await this.#view<string>("get_score", spell(account), `${stage}`));
  }

  async getPublishedTotal(stage: bigint): Promise<bigint | "missing"> {
    return BigInt(await this.#view<string>("get_total_score", `${stage}`));
  }

  async getPublishedPage(stage: bigint, limit: number, start?: PageStart): Promise<PublishedPage> {
    return { rows: await this.#page(stage, limit, start?.last), padding: 0 };
  }

  async #page(stage: bigint, limit: number, after: string | undefined): Promise<readonly Row[]> {
    const start = after === undefined ? null : spell(after as Account);
    const { scores } = await this.#view<{ readonly scores: readonly MoveRow[] }>(
      "get_scores",
      `${stage}`,
      limit,
      start,
    );
    return scores.map(({ addr, score }) => ({ account: accountOfMove(addr), score: BigInt(score) }));
  }

  async #view<T>(name: string, ...args: readonly unknown[]): Promise<T> {
    const texts = args.map((arg) => JSON.stringify(arg));
    const { data } = await this.#rest.move.viewJSON(this.#module, "vip_score", name, [], texts);
    return JSON.parse(data) as T;
  }
}

function spell(account: Account): string {
  return `0x${moveHex(account)}`;
}
