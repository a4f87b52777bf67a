// A stage from a file to a proof, with the types that a program would name.
import { privateKeyToAccount } from "viem/accounts";
import {
  finalizeStage,
  Journal,
  planPush,
  push,
  readScores,
  stage,
  VipError,
  type Account,
  type ErrorCode,
  type PushEvent,
  type Score,
  type ScoreContract,
} from "@vipscore/core";
import { connectEvm, deployEvm, vipScoreAbi } from "@vipscore/evm";
import artifact from "@vipscore/evm/artifacts/VipScore.json" with { type: "json" };
import { buildSnapshot, verifyProof, type SnapshotLeaf } from "@vipscore/snapshot";

export const names: readonly string[] = vipScoreAbi.flatMap((entry) => ("name" in entry ? [entry.name] : []));
export const bytecode: string = artifact.bytecode;

export async function run(rpcUrl: string, privateKey: `0x${string}`): Promise<boolean> {
  const account = privateKeyToAccount(privateKey);
  const { address } = await deployEvm({ rpcUrl, account, initStage: stage(1n) });
  const contract: ScoreContract = await connectEvm({ rpcUrl, address, account });
  const table = await readScores("scores.csv", { accountBytes: contract.accountBytes });
  const journal = await Journal.open("stage1.jsonl", { identity: contract.identity, stage: stage(1n) });
  const plan = await planPush(contract, stage(1n), table, { journal });
  const events: PushEvent[] = [];
  for await (const event of push(contract, plan, { journal })) events.push(event);
  await finalizeStage(contract, stage(1n), { expect: table, journal });

  const snapshot = buildSnapshot({ bridgeId: 1n, stage: 1n, rows: table, total: table.total });
  const [leaf]: readonly SnapshotLeaf[] = [...snapshot];
  // @ts-expect-error A score is a bigint.
  if (leaf?.score === 1) return false;
  return (
    leaf !== undefined &&
    verifyProof({ bridgeId: 1n, stage: 1n, total: table.total, root: snapshot.root ?? "", ...leaf })
  );
}

export function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof VipError ? error.code : undefined;
}

export function largest(scores: ReadonlyMap<Account, Score>): Score {
  return [...scores.values()].reduce((most, score) => (score > most ? score : most), 0n);
}
