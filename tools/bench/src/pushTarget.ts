import { finalizeStage, planPush, push, stage, type ScoreContract, type ScoreTable, type Stage } from "@vipscore/core";
import type { BenchChain } from "./benchChain.ts";

/** Accounts of a push: never seen by the contract, those of the stage before, or these through the packed entry point. */
export const pushCases = ["new", "recurring", "packed"] as const;

export type PushCase = (typeof pushCases)[number];

/** An empty stage of a new contract of ours, and the entry point to write it through. */
export interface PushTarget {
  readonly connect: () => Promise<ScoreContract>;
  readonly stage: Stage;
  readonly packed: boolean;
}

/** Deploys our contract. Except in the case `new`, writes and finalizes its first stage, so that the second has the same accounts. */
export async function preparePush(chain: BenchChain, pushCase: PushCase, table: ScoreTable): Promise<PushTarget> {
  const connect = await chain.deployOurs();
  const first = stage(1n);
  if (pushCase === "new") return { connect, stage: first, packed: false };
  const contract = await connect();
  for await (const _ of push(contract, await planPush(contract, first, table)));
  await finalizeStage(contract, first, { expect: table });
  return { connect, stage: stage(2n), packed: pushCase === "packed" };
}
