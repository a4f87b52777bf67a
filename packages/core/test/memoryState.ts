import type { Account } from "../src/account.ts";
import type { ContractCall } from "../src/scoreContract.ts";
import { stage, u64Max, type Score, type Stage } from "../src/stage.ts";
import type { ScoreRow } from "../src/table/scoreTable.ts";

interface StageRows {
  isFinalized: boolean;
  revision: bigint;
  scores: Map<Account, Score>;
}

/** The state of the chain in memory at one height. */
export interface ChainState {
  stages: Map<Stage, StageRows>;
  members: Set<Account>;
  finalizer: Account | undefined;
  /** The signer's next sequence. */
  sequence: bigint;
}

export function emptyStage(): StageRows {
  return { isFinalized: false, revision: 0n, scores: new Map() };
}

export function sum(scores: ReadonlyMap<Account, Score>): bigint {
  let total = 0n;
  for (const score of scores.values()) total += score;
  return total;
}

/**
 * Executes a call. Returns whether it succeeds.
 *
 * @param written - Gets the rows that it writes.
 */
export function apply(state: ChainState, call: ContractCall, written: ScoreRow[]): boolean {
  if (call.kind === "addMember") return state.members.add(call.account).size > 0;
  if (call.kind === "removeMember") return state.members.size > 1 && state.members.delete(call.account);
  if (call.kind === "setMembers") {
    state.members = new Set(call.accounts);
    return true;
  }
  if (call.kind === "setFinalizer") {
    state.finalizer = call.account;
    return true;
  }
  if (!("stage" in call)) return false;
  const current = state.stages.get(call.stage);
  if (current === undefined || current.isFinalized) return false;
  if (call.kind === "finalizeStage") {
    const { expected } = call;
    const isExpected =
      expected === undefined ||
      (expected.total === sum(current.scores) &&
        expected.count === BigInt(current.scores.size) &&
        expected.revision === current.revision);
    if (!isExpected) return false;
    current.isFinalized = true;
    state.stages.set(stage(call.stage + 1n), emptyStage());
    return true;
  }
  // As in the contracts: the running total is checked at every row, and nothing is written when one fails.
  const scores = new Map(current.scores);
  let total = sum(scores);
  for (const { account, score } of call.rows) {
    total += score - (scores.get(account) ?? 0n);
    if (total > u64Max) return false;
    scores.set(account, score);
  }
  current.scores = scores;
  current.revision += 1n;
  written.push(...call.rows);
  return true;
}
