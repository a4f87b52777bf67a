import { formatBech32, type Account } from "@vipscore/core";
import type { MembersPage, Ownership, Page, PageStart, PublishedPage, StageView, SubjectReader } from "../subject.ts";
import type { Row } from "../subjectCall.ts";
import { accountOfAddress } from "./wasmAddresses.ts";
import { ContractQueryError, type WasmChain } from "./wasmChain.ts";

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

  async getPage(stage: bigint, limit: number, from?: string): Promise<Page> {
    const start = from === undefined ? "" : `,"from":"${from}"`;
    const message = `{"get_scores_from":{"stage":${stage},"limit":${limit}${start}}}`;
    const answer = await this.#query<{ readonly scores: readonly WasmRow[]; readonly next: string | null }>(message);
    return { rows: answer.scores.map(toRow), next: answer.next ?? undefined };
  }

  async getMembers(): Promise<readonly Account[]> {
    return (await this.#members("{}")).map(accountOfAddress);
  }

  async getMemberCount(): Promise<number> {
    return Number((await this.#query<{ readonly count: bigint }>('{"get_member_count":{}}')).count);
  }

  async getMembersPage(limit: number, from?: string): Promise<MembersPage> {
    const start = from === undefined ? "" : `,"start_after":"${from}"`;
    const members = await this.#members(`{"limit":${limit}${start}}`);
    return { members: members.map(accountOfAddress), next: members.length < limit ? undefined : members.at(-1) };
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

  async #members(page: string): Promise<readonly string[]> {
    return (await this.#query<{ readonly members: readonly string[] }>(`{"get_members":${page}}`)).members;
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
