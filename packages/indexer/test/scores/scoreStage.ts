import { stage as toStage, type Account } from "@vipscore/core";
import type { Store } from "../../src/store/openStore.ts";
import { StageRows } from "../../src/store/scores/stageRows.ts";

const contract = { vm: "evm", chainId: "31337", address: "0x8E88A58b6912513002Ec36023CBCe51106ee3573" } as const;

/** Stores a stage of a scoring contract, as its follower does. */
export async function scoreStage(
  { scores }: Store,
  stage: { readonly number: number; readonly height: number; readonly isFinalized?: boolean },
  rows: Iterable<readonly [account: string, score: number | bigint]>,
): Promise<void> {
  await scores.begin(contract);
  const all = StageRows.from(new Map([...rows].map(([account, score]) => [account as Account, BigInt(score)])));
  const { number, height, isFinalized = false } = stage;
  const state = { total: all.total(), accounts: all.size, revision: 1n, isFinalized, digest: undefined };
  const change = { stage: toStage(number), ...state, rows: all, added: undefined, differences: 0 };
  await scores.apply([change], { height, blockHash: "aa" });
}
