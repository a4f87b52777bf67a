import type { Account } from "@vipscore/core";

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

/** Replaces all members. */
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
