import { getContract, zeroAddress, type Address, type GetContractReturnType, type PublicClient } from "viem";
import type { Account } from "@vipscore/core";
import { vipScoreAbi } from "@vipscore/evm";
import type { MembersPage, Ownership, Page, PageStart, PublishedPage, StageView, SubjectReader } from "../subject.ts";

export function toAccount(address: Address): Account {
  return address.toLowerCase() as Account;
}

type Views = GetContractReturnType<typeof vipScoreAbi, PublicClient>["read"];

/** The readers of the EVM contract, through viem. */
export class EvmReader implements SubjectReader {
  readonly #views: Views;

  constructor(client: PublicClient, address: Address) {
    this.#views = getContract({ abi: vipScoreAbi, address, client }).read;
  }

  getVersion(): Promise<string> {
    return this.#views.contractVersion();
  }

  getInitStage(): Promise<bigint> {
    return this.#views.initStage();
  }

  async getStage(stage: bigint): Promise<StageView> {
    const { stage: number, totalScore: total, scoreCount: count, ...info } = await this.#views.getStage([stage]);
    return { exists: number !== 0n, total, isFinalized: info.isFinalized, count, revision: info.revision };
  }

  async getScore(stage: bigint, account: Account): Promise<bigint | undefined> {
    const [isIndexed, amount] = await this.#views.scores([stage, account]);
    return isIndexed ? amount : undefined;
  }

  async getPage(stage: bigint, limit: number, from = "0"): Promise<Page> {
    const [rows, next] = await this.#views.getScoresFrom([stage, Number(from), BigInt(limit)]);
    return {
      rows: rows.map(({ addr, amount }) => ({ account: toAccount(addr), score: amount })),
      next: next === 0 ? undefined : String(next),
    };
  }

  async getMembers(): Promise<readonly Account[]> {
    return (await this.#views.getAllowList([0n, BigInt(await this.getMemberCount())])).map(toAccount);
  }

  async getMemberCount(): Promise<number> {
    return Number(await this.#views.allowListCount());
  }

  async getMembersPage(limit: number, from = "0"): Promise<MembersPage> {
    const members = (await this.#views.getAllowList([BigInt(from), BigInt(limit)])).map(toAccount);
    const next = Number(from) + members.length;
    return { members, next: next < (await this.getMemberCount()) ? String(next) : undefined };
  }

  async getOwnership(): Promise<Ownership> {
    const [owner, pending, finalizer, othersManage] = await Promise.all([
      this.#views.owner(),
      this.#views.pendingOwner(),
      this.#views.finalizer(),
      this.#views.membersCanManage(),
    ]);
    const named = (address: Address): Account | undefined => (address === zeroAddress ? undefined : toAccount(address));
    return { owner: toAccount(owner), pendingOwner: named(pending), finalizer: named(finalizer), othersManage };
  }

  async getPublishedScore(stage: bigint, account: Account): Promise<bigint | "missing"> {
    return (await this.getScore(stage, account)) ?? "missing";
  }

  async getPublishedTotal(stage: bigint): Promise<bigint | "missing"> {
    return (await this.#views.stages([stage]))[1];
  }

  async getPublishedPage(stage: bigint, limit: number, start?: PageStart): Promise<PublishedPage> {
    const padded = await this.#views.getScores([stage, BigInt(start?.offset ?? 0), BigInt(limit)]);
    const scored = padded.filter(({ addr }) => addr !== zeroAddress);
    const rows = scored.map(({ addr, amount }) => ({ account: toAccount(addr), score: amount }));
    return { rows, padding: padded.length - scored.length };
  }
}
