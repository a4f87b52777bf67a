import { Fee, RESTClient, TxAPI, type Coins, type Msg, type RawKey } from "@initia/initia.js";
import type { Account, SignedTransaction } from "@vipscore/core";
import type { TransactionPort } from "@vipscore/core/engine";
import { openRest } from "@vipscore/core/wire";
import { moduleName, readMoveChainId } from "@vipscore/move";
import { cosmosPort, sendTransaction } from "../sendTransaction.ts";
import type { Ownership, Page, PageStart, PublishedPage, Row, StageView, SubjectReader } from "../subject.ts";
import { moveHex } from "./moveCalls.ts";

interface SignOptions {
  readonly gas: number;
  /** Default: ten times the usual price of rollups, so that the price need not be read. */
  readonly fee?: string | Coins;
  readonly ahead?: bigint;
}

export class MoveChain {
  readonly restUrl: string;
  readonly rest: RESTClient;
  readonly #port: TransactionPort;

  private constructor(restUrl: string, rest: RESTClient) {
    this.restUrl = restUrl;
    this.rest = rest;
    this.#port = cosmosPort(openRest(restUrl));
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
    const { hash, outcome, details } = await sendTransaction(this.#port, await this.sign(key, msgs, { gas }));
    if (outcome !== "DONE") throw new Error(`transaction ${hash} failed: ${details}`);
  }
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

  async getPage(stage: bigint, limit: number, from?: string): Promise<Page<Row>> {
    const rows = await this.#page(stage, limit, from);
    // A full page may be the last; the next page is then empty (M12).
    const isLast = rows.length < Math.min(limit, 1_000);
    return { items: rows, next: isLast ? undefined : rows.at(-1)?.account };
  }

  async getMemberCount(): Promise<number> {
    return Number(await this.#view<string>("get_deployer_count"));
  }

  async getMembersPage(limit: number, from = "0"): Promise<Page<Account>> {
    const items = (await this.#view<readonly string[]>("get_deployers", from, `${limit}`)).map(accountOfMove);
    // A full page may be the last; the next page is then empty.
    const isLast = items.length < Math.min(limit, 1_000);
    return { items, next: isLast ? undefined : `${Number(from) + items.length}` };
  }

  async getOwnership(): Promise<Ownership> {
    const [owner, pending, finalizer, othersManage] = await Promise.all([
      this.#view<string>("get_owner"),
      this.#view<string | null>("get_pending_owner"),
      this.#view<string | null>("get_finalizer"),
      this.#view<boolean>("publisher_manages"),
    ]);
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
    const { data } = await this.#rest.move.viewJSON(this.#module, moduleName, name, [], texts);
    return JSON.parse(data) as T;
  }
}

function spell(account: Account): string {
  return `0x${moveHex(account)}`;
}
