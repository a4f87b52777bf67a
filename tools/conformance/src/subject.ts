import type { Account, ErrorCode, ScoreContract, SignedTransaction, Vm } from "@vipscore/core";
import type { Row, SubjectCall } from "./subjectCall.ts";

/** Who acts in a scenario. All have funds; `creator` deploys, and becomes the owner and the first member. */
export type Role = "creator" | "alice" | "bob" | "carol";

/**
 * How a call ended: in a block and done, or why not, as docs/errors.md names it. `UNTOLD` is a failure on a node that
 * never says why, as minievm.
 */
export type Outcome = "DONE" | ErrorCode | "UNTOLD";

/** A call that is in a block. */
export interface CallResult {
  readonly hash: string;
  readonly outcome: Outcome;
  /** What the chain says of a failure. */
  readonly details: string | undefined;
}

/** A stage as the contract's own reader shows it, also one that was never created. */
export interface StageView {
  readonly exists: boolean;
  readonly total: bigint;
  readonly isFinalized: boolean;
  readonly count: bigint;
  /** How many calls have written rows to it. */
  readonly revision: bigint;
}

/** A page of a stage in the way that the contract reads cheapest; `next` is where the next one starts. */
export interface Page {
  readonly rows: readonly Row[];
  readonly next: string | undefined;
}

/** A page of the published reader. */
export interface PublishedPage {
  readonly rows: readonly Row[];
  /** Rows of padding after the scores; EVM alone has them. */
  readonly padding: number;
}

/** Where a published page starts: after so many rows, of which this account is the last one. */
export interface PageStart {
  readonly offset: number;
  readonly last: Account;
}

export interface Ownership {
  readonly owner: Account;
  readonly pendingOwner: Account | undefined;
  /** The one account that finalizes stages; undefined where every member does. */
  readonly finalizer: Account | undefined;
  /** Others than the owner may add and remove members: members, on Move the publisher (M9). */
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

/** The readers of the contract itself, asked without the client. */
export interface SubjectReader {
  getVersion(): Promise<string>;
  getInitStage(): Promise<bigint>;
  getStage(stage: bigint): Promise<StageView>;
  /** One score, undefined where the account has none. */
  getScore(stage: bigint, account: Account): Promise<bigint | undefined>;
  /** A page of a stage; `from` is the page before's `next`. */
  getPage(stage: bigint, limit: number, from?: string): Promise<Page>;
  getMembers(): Promise<readonly Account[]>;
  getOwnership(): Promise<Ownership>;

  /** The published reader of one score, as the reference contracts have it; `missing` where it fails for want of a score. */
  getPublishedScore(stage: bigint, account: Account): Promise<bigint | "missing">;
  /** The published reader of a stage's total; `missing` where it fails for want of the stage. */
  getPublishedTotal(stage: bigint): Promise<bigint | "missing">;
  getPublishedPage(stage: bigint, limit: number, start?: PageStart): Promise<PublishedPage>;
}

/** A scoring contract on a chain, as scenarios see it: one interface for all VMs. */
export interface DeployedContract {
  readonly vm: Vm;
  readonly read: SubjectReader;
  accountOf(role: Role): Account;
  /** An account as the VM spells it; pages that are in the order of addresses are in the order of these texts. */
  spell(account: Account): string;
  /** Texts for `updateScoreOfText` that are no addresses on this VM. */
  readonly junkAddresses: readonly string[];
  /** Other texts for `updateScoreOfText` that name the account; none where calls hold bytes. */
  otherSpellings(account: Account): readonly string[];
  /** True if somebody's key can replace the contract's code. */
  isReplaceable(): Promise<boolean>;
  /** The client's port, signing as `role`. */
  port(role: Role): Promise<ScoreContract>;
  /** Signs, sends, waits for the block. A call that fails is an outcome, not an error. */
  call(role: Role, call: SubjectCall): Promise<CallResult>;
  /** Signs with the account's next sequence, or one so many later, and sends nothing. */
  sign(role: Role, call: SubjectCall, ahead?: bigint): Promise<SignedTransaction>;
  /** Hands a signed transaction over and waits for its block. */
  send(role: Role, transaction: SignedTransaction): Promise<CallResult>;
  /** What the contract emitted about scores in a transaction, in order. */
  getScoreEvents(hash: string): Promise<readonly ScoreEvent[]>;
}

/** What a scenario may choose of a new contract. */
export interface DeployOptions {
  /** 1 when absent. */
  readonly initStage?: bigint;
  /** Members beside the creator. */
  readonly members?: readonly Role[];
  /** Deploys so that nobody can ever replace the code. */
  readonly sealed?: boolean;
}

/** A chain on which scenarios deploy contracts. */
export interface Subject {
  readonly vm: Vm;
  deploy(options?: DeployOptions): Promise<DeployedContract>;
}
