import type { Account } from "@vipscore/core";
import { vipScoreAbi } from "@vipscore/evm";
import { getContract, zeroAddress, type Address, type GetContractReturnType, type PublicClient } from "viem";
import type { Ownership, Page, PageStart, PublishedPage, StageView, SubjectReader } from "../subject.ts";

export function toAccount(address: Address): Account {
  return address.toLowerCase() as Account;
}

type Views = GetContractReturnType<typeof vipScoreAbi, PublicClient>["read"];

/** The readers of the EVM contract, through viem. */
export class EvmReader implements SubjectReader {
  readonly #contract: Views;
  readonly #untilShown: () => Promise<unknown>;

  /** @param untilShown - Waits until the node shows the state of every block that a client of the contract has seen. */
  constructor(client: PublicClient, address: Address, untilShown: () => Promise<unknown>) {
    this.#contract = getContract({ abi: vipScoreAbi, address, client }).read;
    this.#untilShown = untilShown;
  }

  /** The views, to be read at once. */
  async #views(): Promise<Views> {
    await this.#untilShown();
    return this.#contract;
  }

  async getVersion(): Promise<string> {
    return (await this.#views()).contractVersion();
  }

  async getInitStage(): Promise<bigint> {
    return (await this.#views()).initStage();
  }

  async getStage(stage: bigint): Promise<StageView> {
    const views = await this.#views();
    const [[number, total, isFinalized], count] = await Promise.all([views.stages([stage]), views.scoreCount([stage])]);
    return { exists: number !== 0n, total, isFinalized, count };
  }

  async getScore(stage: bigint, account: Account): Promise<bigint | undefined> {
    const [isIndexed, amount] = await (await this.#views()).scores([stage, account]);
    return isIndexed ? amount : undefined;
  }

  async getPage(stage: bigint, limit: number, from = "0"): Promise<Page> {
    const [rows, next] = await (await this.#views()).getScoresFrom([stage, Number(from), BigInt(limit)]);
    return {
      rows: rows.map(({ addr, amount }) => ({ account: toAccount(addr), score: amount })),
      next: next === 0 ? undefined : String(next),
    };
  }

  async getMembers(): Promise<readonly Account[]> {
    return (await (await this.#views()).allowListMembers()).map(toAccount);
  }

  async getOwnership(): Promise<Ownership> {
    const views = await this.#views();
    const [owner, pending, membersCanManage] = await Promise.all([
      views.owner(),
      views.pendingOwner(),
      views.membersCanManage(),
    ]);
    const pendingOwner = pending === zeroAddress ? undefined : toAccount(pending);
    return { owner: toAccount(owner), pendingOwner, membersCanManage };
  }

  async getPublishedScore(stage: bigint, account: Account): Promise<bigint | "missing"> {
    return (await this.getScore(stage, account)) ?? "missing";
  }

  async getPublishedTotal(stage: bigint): Promise<bigint | "missing"> {
    return (await (await this.#views()).stages([stage]))[1];
  }

  async getPublishedPage(stage: bigint, limit: number, start?: PageStart): Promise<PublishedPage> {
    const padded = await (await this.#views()).getScores([stage, BigInt(start?.offset ?? 0), BigInt(limit)]);
    const scored = padded.filter(({ addr }) => addr !== zeroAddress);
    const rows = scored.map(({ addr, amount }) => ({ account: toAccount(addr), score: amount }));
    return { rows, padding: padded.length - scored.length };
  }
}
