import { createHash } from "node:crypto";
import {
  InputError,
  VipError,
  type Account,
  type ScoreContract,
  type SignedTransaction,
  type Vm,
} from "@vipscore/core";
import type { ContractCode } from "./contractCode.ts";
import { sendTransaction, type CallResult } from "./sendTransaction.ts";

/** Who acts in a scenario. All have funds; `creator` deploys, and becomes the owner and the first member. */
export type Role = "creator" | "alice" | "bob" | "carol";

/** A stage as the contract's own reader shows it, even if it was never created. */
export interface StageView {
  readonly exists: boolean;
  readonly total: bigint;
  readonly isFinalized: boolean;
  readonly count: bigint;
  /** Number of calls that have written rows to it. */
  readonly revision: bigint;
}

/** A page of the rows of a stage, read in the contract's cheapest way, or of members. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page starts; undefined on the last one. */
  readonly next: string | undefined;
}

/** A page of the published reader. */
export interface PublishedPage {
  readonly rows: readonly Row[];
  /** Rows of padding after the scores; only EVM has them. */
  readonly padding: number;
}

/** Start of a published page: after this many rows, of which this account is the last. */
export interface PageStart {
  readonly offset: number;
  readonly last: Account;
}

export interface Ownership {
  readonly owner: Account;
  readonly pendingOwner: Account | undefined;
  /** The only account that finalizes stages; undefined if every member does. */
  readonly finalizer: Account | undefined;
  /** True if accounts other than the owner may add and remove members: members, on Move the publisher (M9). */
  readonly othersManage: boolean;
}

/** An event of the contract about scores. */
export type ScoreEvent =
  | {
      readonly event: "row";
      readonly stage: bigint;
      readonly account: Account;
      readonly score: bigint;
      readonly total: bigint;
    }
  | { readonly event: "batch"; readonly stage: bigint; readonly count: bigint; readonly total: bigint };

/** The contract's own readers, called without the client. */
export interface SubjectReader {
  getVersion(): Promise<string>;
  getInitStage(): Promise<bigint>;
  getStage(stage: bigint): Promise<StageView>;
  /** Returns one score; undefined if the account has none. */
  getScore(stage: bigint, account: Account): Promise<bigint | undefined>;
  /** Returns a page of a stage; `from` is the previous page's `next`. */
  getPage(stage: bigint, limit: number, from?: string): Promise<Page<Row>>;
  getMemberCount(): Promise<number>;
  /** Returns a page of members; `from` is the previous page's `next`. */
  getMembersPage(limit: number, from?: string): Promise<Page<Account>>;
  getOwnership(): Promise<Ownership>;

  /** The published reader of one score, as in the reference contracts; `missing` if it fails because there is no score. */
  getPublishedScore(stage: bigint, account: Account): Promise<bigint | "missing">;
  /** The published reader of a stage's total; `missing` if it fails because there is no stage. */
  getPublishedTotal(stage: bigint): Promise<bigint | "missing">;
  getPublishedPage(stage: bigint, limit: number, start?: PageStart): Promise<PublishedPage>;
}

/** A scoring contract on a chain, as scenarios see it: the same for all VMs. */
export abstract class DeployedContract {
  abstract readonly vm: Vm;
  abstract readonly read: SubjectReader;
  /** Texts for `updateScoreOfText` that are not addresses on this VM. */
  abstract readonly junkAddresses: readonly string[];
  readonly #ports = new Map<Role, ScoreContract>();
  readonly #senders: Map<Role, ScoreContract>;

  /** @param senders - Of all contracts of a chain: a port of each role that has sent a transaction, whichever contract it is for. */
  constructor(senders: Map<Role, ScoreContract>) {
    this.#senders = senders;
  }

  abstract accountOf(role: Role): Account;
  /** Spells an account as the VM does; pages in the order of addresses are in the order of these texts. */
  abstract spell(account: Account): string;
  /** True if a key can replace the contract's code. */
  abstract isReplaceable(): Promise<boolean>;
  /** Signs with the account's next sequence, or one that many later, without sending. */
  abstract sign(role: Role, call: SubjectCall, ahead?: bigint): Promise<SignedTransaction>;
  /** Returns the contract's events about scores in a transaction, in order. */
  abstract getScoreEvents(hash: string): Promise<readonly ScoreEvent[]>;
  /** Returns the names of all of the contract's events in a transaction, in order. */
  abstract getEventNames(hash: string): Promise<readonly string[]>;
  /** Returns a line for each part of the published interface that the contract does not have, or has in another shape. */
  abstract compareInterface(): Promise<readonly string[]>;
  protected abstract connect(role: Role): Promise<ScoreContract>;

  /** The client's port, signing as `role`. */
  async port(role: Role): Promise<ScoreContract> {
    const port = this.#ports.get(role) ?? (await this.connect(role));
    this.#ports.set(role, port);
    return port;
  }

  /** Signs, sends, and waits for the block. A failed call is an outcome, not an error. */
  async call(role: Role, call: SubjectCall): Promise<CallResult> {
    return this.send(role, await this.sign(role, call));
  }

  /** Sends a signed transaction and waits for its block. */
  async send(role: Role, transaction: SignedTransaction): Promise<CallResult> {
    return sendTransaction(await this.sender(role), transaction);
  }

  protected async sender(role: Role): Promise<ScoreContract> {
    const sender = this.#senders.get(role) ?? (await this.port(role));
    this.#senders.set(role, sender);
    return sender;
  }
}

/** Options of a new contract. */
export interface DeployOptions {
  /** Default: 1. */
  readonly initStage?: bigint;
  /** Members besides the creator. */
  readonly members?: readonly Role[];
  /** Deploys so that nobody can ever replace the code. */
  readonly sealed?: boolean;
}

/** A chain on which scenarios deploy contracts. */
export interface Subject {
  readonly vm: Vm;
  /** Seed of the random scenarios. */
  readonly seed: number;
  /** What an author must know besides, a line each. */
  readonly warnings: readonly string[];
  deploy(options?: DeployOptions): Promise<DeployedContract>;
  /** Only on Move: publishes the module, and returns the names of its publisher's modules. */
  publish?(): Promise<readonly string[]>;
}

/** The chain and the contract that scenarios run on. */
export interface OpenSubjectOptions {
  /**
   * The chain's endpoint: JSON-RPC on EVM, REST on Move, CometBFT's RPC on Wasm. The deployer's public test account of
   * `@vipscore/localnet` must have funds there (`umin` on Move and Wasm).
   */
  readonly url: string;
  readonly code: ContractCode;
  /** Seed of the random scenarios. */
  readonly seed: number;
  /**
   * The node may be minievm, which shows a block before its state and may give no reasons for failures: each call waits for the
   * state of its block. Default: false.
   */
  readonly mayBeMinievm?: boolean;
}

/** One account's score in a call. Stage and score are u64; a scenario may pass 0 as a stage. */
export interface Row {
  readonly account: Account;
  readonly score: bigint;
}

/** A write of one account's score. */
export interface OneScoreCall {
  readonly kind: "updateScore" | "increaseScore" | "decreaseScore";
  readonly stage: bigint;
  readonly account: Account;
  readonly amount: bigint;
}

/**
 * A batch: in the published entry point, in the cheap one that emits one event for all rows, or one that is not a list of pairs. The
 * lists of that one differ in length on EVM and Move, an entry on Wasm has no score: an extra account follows the complete `rows`.
 */
export interface BatchCall {
  readonly kind: "updateScores" | "updateScoresPacked" | "updateScoresUnequal";
  readonly stage: bigint;
  readonly rows: readonly Row[];
}

/** Every call that changes the scoring contract, the same on every VM. */
export type SubjectCall =
  | OneScoreCall
  | BatchCall
  /** A score of 1 for an account as a text: hex of any length on EVM and Move, where calls hold bytes; any text on Wasm. */
  | { readonly kind: "updateScoreOfText"; readonly stage: bigint; readonly text: string }
  /** `setInitStage` exists only on Move: elsewhere the first stage is an argument of the creation (M8). */
  | { readonly kind: "finalizeStage" | "setInitStage"; readonly stage: bigint }
  | FinalizeCheckedCall
  | { readonly kind: "addMember" | "removeMember" | "transferOwnership"; readonly account: Account }
  | { readonly kind: "setMembers"; readonly accounts: readonly Account[] }
  /** `renounceOwnership` exists only on EVM and always fails. */
  | { readonly kind: "acceptOwnership" | "renounceOwnership" }
  /** Undefined: every member finalizes. */
  | { readonly kind: "setFinalizer"; readonly account: Account | undefined }
  /** Sets whether accounts other than the owner manage members: members, on Move the publisher (M9). */
  | { readonly kind: "setManagement"; readonly allowed: boolean };

interface FinalizeCheckedCall {
  readonly kind: "finalizeStageChecked";
  readonly stage: bigint;
  readonly total: bigint;
  readonly count: bigint;
  readonly revision: bigint;
}

/** A call that the contract of a VM does not have, made by a scenario that declares no difference. */
export class NoSuchCall extends Error {
  override readonly name = "NoSuchCall";

  constructor(vm: string, kind: string) {
    super(`the ${vm} contract has no ${kind}`);
  }
}

/** The name of a call as Move and Wasm write it. */
export function snakeCase(kind: string): string {
  return kind.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns what throws the error of a contract that a chain does not take: it was not tested, so it breaks no rule. */
export function notDeployed(metaMessages: readonly string[] = []): (cause: unknown) => never {
  return (cause) => {
    if (VipError.isVipError(cause)) throw cause;
    const problem = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, " ").slice(0, 600);
    throw new InputError(`the chain does not take the contract: ${problem}`, { metaMessages, cause });
  };
}

/** Returns the private key of an account that has funds, the same for the same seed. */
export function seededKey(seed: number, name: string): Buffer {
  return createHash("sha256").update(`key ${seed} ${name}`).digest();
}
