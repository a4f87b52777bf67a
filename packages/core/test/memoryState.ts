import type { Account } from "../src/account.ts";
import type { Score, Stage } from "../src/stage.ts";

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
