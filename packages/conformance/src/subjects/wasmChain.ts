import { createHash } from "node:crypto";
import { Comet38Client } from "@cosmjs/tendermint-rpc";
import { QueryAccountInfoRequest, QueryAccountInfoResponse } from "cosmjs-types/cosmos/auth/v1beta1/query";
import {
  QueryContractInfoRequest,
  QueryContractInfoResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from "cosmjs-types/cosmwasm/wasm/v1/query";
import { formatBech32, parseAccount, type Account, type SignedTransaction } from "@vipscore/core";
import type { TransactionPort } from "@vipscore/core/engine";
import { openJsonRpc, restOverRpc } from "@vipscore/core/wire";
import type { CosmosMessage, UnsignedTransaction } from "@vipscore/cosmos";
import { readWasmChainId, type WasmAccount } from "@vipscore/wasm";
import { cosmosPort } from "../sendTransaction.ts";
import type { Ownership, Page, PageStart, PublishedPage, Row, StageView, SubjectReader } from "../subject.ts";

/** A query that the contract refused, with the contract's text. */
export class ContractQueryError extends Error {
  override readonly name = "ContractQueryError";
}

export class WasmChain {
  readonly chainId: string;
  /** For transactions without a contract. */
  readonly port: TransactionPort;
  readonly #comet: Comet38Client;

  private constructor(comet: Comet38Client, chainId: string, port: TransactionPort) {
    this.#comet = comet;
    this.chainId = chainId;
    this.port = port;
  }

  static async connect(rpcUrl: string): Promise<WasmChain> {
    const [comet, chainId] = await Promise.all([Comet38Client.connect(rpcUrl), readWasmChainId({ rpcUrl })]);
    return new WasmChain(comet, chainId, cosmosPort(restOverRpc(openJsonRpc(rpcUrl))));
  }

  /** Queries a contract; integers in the answer are bigint. */
  async query<T>(contract: string, message: string): Promise<T> {
    const request = { address: contract, queryData: Buffer.from(message) };
    const data = QuerySmartContractStateRequest.encode(request).finish();
    const answer = await this.#comet.abciQuery({ path: "/cosmwasm.wasm.v1.Query/SmartContractState", data });
    if (answer.code !== 0) throw new ContractQueryError(answer.log ?? "");
    const text = Buffer.from(QuerySmartContractStateResponse.decode(answer.value).data).toString("utf8");
    return parseExact(text) as T;
  }

  /** Returns who may migrate a contract, in bech32; empty for nobody. */
  async adminOf(contract: string): Promise<string> {
    const data = QueryContractInfoRequest.encode({ address: contract }).finish();
    const answer = await this.#comet.abciQuery({ path: "/cosmwasm.wasm.v1.Query/ContractInfo", data });
    if (answer.code !== 0) throw new ContractQueryError(answer.log ?? "");
    return QueryContractInfoResponse.decode(answer.value).contractInfo.admin;
  }

  /** Signs a message with the account's next sequence, or one that many later. */
  async sign(
    account: WasmAccount,
    message: CosmosMessage,
    { gas, fee, ahead = 0n }: Pick<UnsignedTransaction, "gas" | "fee"> & { readonly ahead?: bigint },
  ): Promise<SignedTransaction> {
    const data = QueryAccountInfoRequest.encode({ address: account.address }).finish();
    const answer = await this.#comet.abciQuery({ path: "/cosmos.auth.v1beta1.Query/AccountInfo", data });
    const { info } = QueryAccountInfoResponse.decode(answer.value);
    if (info === undefined) throw new Error(`the chain does not know ${account.address}: ${answer.log ?? ""}`);
    const sequence = info.sequence + ahead;
    const unsigned = { message, chainId: this.chainId, accountNumber: info.accountNumber, sequence, gas, fee };
    const bytes = await account.signTransaction(unsigned);
    return { hash: createHash("sha256").update(bytes).digest("hex").toUpperCase(), bytes, sequence, gas };
  }

  async events(
    hash: string,
  ): Promise<readonly { readonly type: string; readonly values: ReadonlyMap<string, string> }[]> {
    const { result } = await this.#comet.tx({ hash: Buffer.from(hash, "hex") });
    return result.events.map(({ type, attributes }) => ({
      type,
      values: new Map(attributes.map(({ key, value }) => [key, value])),
    }));
  }
}

/** Not in lib.es2023 yet; Node 22 has it. */
type Parse = (
  text: string,
  reviver: (key: string, value: unknown, context?: { source?: string }) => unknown,
) => unknown;

function parseExact(text: string): unknown {
  return (JSON.parse as Parse)(text, (_, value, context) =>
    typeof value === "number" ? BigInt(context?.source ?? "") : value,
  );
}

/** The account that nobody owns; the client rejects it in files, but a contract may hold it. */
const zeroAccount = `0x${"00".repeat(20)}` as Account;
const zeroAddress = formatBech32(zeroAccount);

export function accountOfAddress(address: string): Account {
  return address === zeroAddress ? zeroAccount : parseAccount(address, { accountBytes: [20, 32] });
}

interface WasmRow {
  readonly addr: string;
  readonly score: bigint;
}

const missingTexts = ["Stage not found", "User score not found"];

/** The queries of the Wasm contract, written byte for byte as the interface requires. */
export class WasmReader implements SubjectReader {
  readonly #chain: WasmChain;
  readonly #contract: string;

  constructor(chain: WasmChain, contract: string) {
    this.#chain = chain;
    this.#contract = contract;
  }

  async getVersion(): Promise<string> {
    return (await this.#query<{ readonly version: string }>('{"get_contract_version":{}}')).version;
  }

  async getInitStage(): Promise<bigint> {
    return (await this.#query<{ readonly init_stage: bigint }>('{"get_init_stage":{}}')).init_stage;
  }

  async getStage(stage: bigint): Promise<StageView> {
    const view = await this.#query<{
      readonly exists: boolean;
      readonly total_score: bigint;
      readonly is_finalized: boolean;
      readonly count: bigint;
      readonly revision: bigint;
    }>(`{"get_stage":{"stage":${stage}}}`);
    const { exists, total_score: total, is_finalized: isFinalized, count, revision } = view;
    return { exists, total, isFinalized, count, revision };
  }

  async getScore(stage: bigint, account: Account): Promise<bigint | undefined> {
    const message = `{"get_scores_of":{"stage":${stage},"addrs":["${formatBech32(account)}"]}}`;
    const answer = await orMissing(this.#query<{ readonly scores: readonly (bigint | null)[] }>(message));
    return answer === "missing" ? undefined : (answer.scores[0] ?? undefined);
  }

  async getPage(stage: bigint, limit: number, from?: string): Promise<Page<Row>> {
    const start = from === undefined ? "" : `,"from":"${from}"`;
    const message = `{"get_scores_from":{"stage":${stage},"limit":${limit}${start}}}`;
    const answer = await this.#query<{ readonly scores: readonly WasmRow[]; readonly next: string | null }>(message);
    return { items: answer.scores.map(toRow), next: answer.next ?? undefined };
  }

  async getMemberCount(): Promise<number> {
    return Number((await this.#query<{ readonly count: bigint }>('{"get_member_count":{}}')).count);
  }

  async getMembersPage(limit: number, from?: string): Promise<Page<Account>> {
    const start = from === undefined ? "" : `,"start_after":"${from}"`;
    const message = `{"get_members":{"limit":${limit}${start}}}`;
    const { members } = await this.#query<{ readonly members: readonly string[] }>(message);
    return { items: members.map(accountOfAddress), next: members.length < limit ? undefined : members.at(-1) };
  }

  async getOwnership(): Promise<Ownership> {
    const answer = await this.#query<{
      readonly owner: string;
      readonly pending_owner: string | null;
      readonly finalizer: string | null;
      readonly members_can_manage: boolean;
    }>('{"get_ownership":{}}');
    const named = (text: string | null): Account | undefined => (text === null ? undefined : accountOfAddress(text));
    return {
      owner: accountOfAddress(answer.owner),
      pendingOwner: named(answer.pending_owner),
      finalizer: named(answer.finalizer),
      othersManage: answer.members_can_manage,
    };
  }

  async getPublishedScore(stage: bigint, account: Account): Promise<bigint | "missing"> {
    const message = `{"get_score":{"stage":${stage},"addr":"${formatBech32(account)}"}}`;
    const answer = await orMissing(this.#query<{ readonly score: bigint }>(message));
    return answer === "missing" ? answer : answer.score;
  }

  async getPublishedTotal(stage: bigint): Promise<bigint | "missing"> {
    const message = `{"get_stage_info":{"stage":${stage}}}`;
    const answer = await orMissing(this.#query<{ readonly total_score: bigint }>(message));
    return answer === "missing" ? answer : answer.total_score;
  }

  async getPublishedPage(stage: bigint, limit: number, start?: PageStart): Promise<PublishedPage> {
    const after = start === undefined ? "" : `,"start_after":"${formatBech32(start.last)}"`;
    const message = `{"get_scores":{"stage":${stage},"limit":${limit}${after}}}`;
    const { scores } = await this.#query<{ readonly scores: readonly WasmRow[] }>(message);
    return { rows: scores.map(toRow), padding: 0 };
  }

  #query<T>(message: string): Promise<T> {
    return this.#chain.query<T>(this.#contract, message);
  }
}

function toRow({ addr, score }: WasmRow): Row {
  return { account: accountOfAddress(addr), score };
}

/** `missing` if the contract reports that there is no such stage or score. */
async function orMissing<T>(answer: Promise<T>): Promise<T | "missing"> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ContractQueryError && missingTexts.some((text) => error.message.includes(text)))
      return "missing";
    throw error;
  }
}
