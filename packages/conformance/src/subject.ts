import { createHash } from "node:crypto";
import {
  InputError,
  VipError,
  type Account,
  type ErrorCode,
  type ScoreContract,
  type SignedTransaction,
  type Vm,
} from "@vipscore/core";
import type { ContractCode } from "./contractCode.ts";

/** Who acts in a scenario. All have funds; `creator` deploys, and becomes the owner and the first member. */
export type Role = "creator" | "alice" | "bob" | "carol";

/**
 * A call's outcome: in a block and done, or the reason for the failure, as a code of docs/errors.md. `NO_REASON` is a failure on a
 * node that never gives reasons, such as minievm.
 */
export type Outcome = "DONE" | ErrorCode | "NO_REASON";

/** A call that is in a block. */
export interface CallResult {
  readonly hash: string;
  readonly outcome: Outcome;
  /** The chain's text about a failure. */
  readonly details: string | undefined;
  readonly gasUsed: bigint;
}

/** A stage as the contract's own reader shows it, even if it was never created. */
export interface StageView {
  readonly exists: boolean;
  readonly total: bigint;
  readonly isFinalized: boolean;
  readonly count: bigint;
  /** Number of calls that have written rows to it. */
  readonly revision: bigint;
}

/** A page of a stage, read in the contract's cheapest way; `next` is where the next page starts. */
export interface Page {
  readonly rows: readonly Row[];
  readonly next: string | undefined;
}

/** A page of members. */
export interface MembersPage {
  readonly members: readonly Account[];
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
  getPage(stage: bigint, limit: number, from?: string): Promise<Page>;
  /** Returns all members, from pages. */
  getMembers(): Promise<readonly Account[]>;
  getMemberCount(): Promise<number>;
  /** Returns a page of members; `from` is the previous page's `next`, undefined on the last page. */
  getMembersPage(limit: number, from?: string): Promise<MembersPage>;
  getOwnership(): Promise<Ownership>;

  /** The published reader of one score, as in the reference contracts; `missing` if it fails because there is no score. */
  getPublishedScore(stage: bigint, account: Account): Promise<bigint | "missing">;
  /** The published reader of a stage's total; `missing` if it fails because there is no stage. */
  getPublishedTotal(stage: bigint): Promise<bigint | "missing">;
  getPublishedPage(stage: bigint, limit: number, start?: PageStart): Promise<PublishedPage>;
}

/** A scoring contract on a chain, as scenarios see it: one interface for all VMs. */
export interface DeployedContract {
  readonly vm: Vm;
  readonly read: SubjectReader;
  accountOf(role: Role): Account;
  /** Spells an account as the VM does; pages in the order of addresses are in the order of these texts. */
  spell(account: Account): string;
  /** Texts for `updateScoreOfText` that are not addresses on this VM. */
  readonly junkAddresses: readonly string[];
  /** Other texts for `updateScoreOfText` that name the account; none if calls hold bytes. */
  otherSpellings(account: Account): readonly string[];
  /** True if a key can replace the contract's code. */
  isReplaceable(): Promise<boolean>;
  /** The client's port, signing as `role`. */
  port(role: Role): Promise<ScoreContract>;
  /** Signs, sends, and waits for the block. A failed call is an outcome, not an error. */
  call(role: Role, call: SubjectCall): Promise<CallResult>;
  /** Signs with the account's next sequence, or one that many later, without sending. */
  sign(role: Role, call: SubjectCall, ahead?: bigint): Promise<SignedTransaction>;
  /** Sends a signed transaction and waits for its block. */
  send(role: Role, transaction: SignedTransaction): Promise<CallResult>;
  /** Returns the contract's events about scores in a transaction, in order. */
  getScoreEvents(hash: string): Promise<readonly ScoreEvent[]>;
  /** Returns the names of all of the contract's events in a transaction, in order. */
  getEventNames(hash: string): Promise<readonly string[]>;
  /** Returns a line for each part of the published interface that the contract does not have, or has in another shape. */
  compareInterface(): Promise<readonly string[]>;
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

/** A batch, in the published entry point or in the cheap entry point that emits one event for all rows. */
export interface BatchCall {
  readonly kind: "updateScores" | "updateScoresPacked";
  readonly stage: bigint;
  readonly rows: readonly Row[];
}

/**
 * A batch that is not a list of pairs: the lists of EVM and Move differ in length, an entry on Wasm has no score.
 * `rows` are complete; an extra account follows them.
 */
interface UnequalBatchCall {
  readonly kind: "updateScoresUnequal";
  readonly stage: bigint;
  readonly rows: readonly Row[];
}

/** A score of 1 for an account as a text: hex of any length on EVM and Move, where calls hold bytes; any text on Wasm. */
interface TextAddressCall {
  readonly kind: "updateScoreOfText";
  readonly stage: bigint;
  readonly text: string;
}

interface FinalizeCall {
  readonly kind: "finalizeStage";
  readonly stage: bigint;
}

interface FinalizeCheckedCall {
  readonly kind: "finalizeStageChecked";
  readonly stage: bigint;
  readonly total: bigint;
  readonly count: bigint;
  readonly revision: bigint;
}

interface AccountCall {
  readonly kind: "addMember" | "removeMember" | "transferOwnership";
  readonly account: Account;
}

interface SetMembersCall {
  readonly kind: "setMembers";
  readonly accounts: readonly Account[];
}

interface OwnerCall {
  /** `renounceOwnership` exists only on EVM and always fails. */
  readonly kind: "acceptOwnership" | "renounceOwnership";
}

interface SetFinalizerCall {
  readonly kind: "setFinalizer";
  /** Undefined: every member finalizes. */
  readonly account: Account | undefined;
}

/** Sets whether accounts other than the owner manage members: members, on Move the publisher (M9). */
interface SetManagementCall {
  readonly kind: "setManagement";
  readonly allowed: boolean;
}

/** Only on Move: elsewhere the first stage is an argument of the creation (M8). */
interface SetInitStageCall {
  readonly kind: "setInitStage";
  readonly stage: bigint;
}

/** Every call that changes the scoring contract, the same on every VM. */
export type SubjectCall =
  | OneScoreCall
  | BatchCall
  | UnequalBatchCall
  | TextAddressCall
  | FinalizeCall
  | FinalizeCheckedCall
  | AccountCall
  | SetMembersCall
  | OwnerCall
  | SetFinalizerCall
  | SetManagementCall
  | SetInitStageCall;

/** A call that the contract of a VM does not have, made by a scenario that declares no difference. */
export class NoSuchCall extends Error {
  override readonly name = "NoSuchCall";

  constructor(vm: string, kind: string) {
    super(`the ${vm} contract has no ${kind}`);
  }
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
