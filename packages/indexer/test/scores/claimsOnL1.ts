import { bcs } from "@initia/initia.js";
import type { Account } from "@vipscore/core";
import { testAccounts } from "@vipscore/core/testAccounts";
import { startVipnode } from "@vipscore/localnet";
import { callL1, type BcsValue } from "@vipscore/testkit/callL1";
import { naiveRoot } from "@vipscore/testkit/naiveTree";
import { buildTree } from "../../src/follow/buildTree.ts";
import { L1Watch } from "../../src/follow/l1Watch.ts";
import type { Store } from "../../src/store/openStore.ts";
import { StageRows } from "../../src/store/scores/stageRows.ts";
import { scoreStage } from "./scoreStage.ts";

export const bridgeId = 8n;

/** Rows of account and score. */
export type ScoredRows = readonly (readonly [account: Account, score: bigint])[];

const u64 = (value: bigint): BcsValue => bcs.u64().serialize(value);

/** Starts a local L1 on which a bridge is registered from stage 2 on, without a challenge period. */
export async function startClaimsL1() {
  const node = await startVipnode({ vm: "move", l1: true });
  const { restUrl, chainId, vipAddress = "" } = node;
  const { call, govern } = callL1({ restUrl, chainId, vipAddress });
  const address = bcs.address().serialize(testAccounts.operator.address);
  const rate = bcs.bigdecimal().serialize("0.1");
  const setChallengePeriod = (seconds: bigint) => call("set_parameters", ...[86_400n, 4n, seconds, 0n].map(u64));
  await call("set_stage", u64(1n), u64(0n), u64(1n));
  await setChallengePeriod(0n);
  const names = [bcs.string().serialize("0x8E88A58b6912513002Ec36023CBCe51106ee3573"), rate, rate, rate];
  await govern("register", address, u64(bridgeId), address, ...names, u64(2n));
  await call("advance_stage");
  return {
    chainId,
    setChallengePeriod,
    /** Removes the snapshot of a stage. */
    remove: (stage: bigint) => govern("execute_rollup_challenge", u64(bridgeId), u64(stage)),
    /** Ends a stage on L1, and submits the snapshot of its rows, or another root. */
    endStage: async (stage: bigint, rows: ScoredRows, root?: string) => {
      await call("advance_stage");
      const listed = rows.map(([account, score]) => ({ account, score }));
      const found = Buffer.from(root ?? naiveRoot({ bridgeId, stage, rows: listed }) ?? "", "hex");
      const total = rows.reduce((sum, [, score]) => sum + score, 0n);
      const bytes = bcs.vector(bcs.u8()).serialize(found);
      await call("submit_snapshot", u64(bridgeId), u64(1n), u64(stage), bytes, u64(total));
    },
    watch: ({ scores }: Pick<Store, "scores">) =>
      new L1Watch({ l1RestUrl: restUrl, vipAddress }, async () => (await scores.read())?.bridgeId),
    [Symbol.asyncDispose]: () => node.stop(),
  };
}

/** Stores a finalized stage with its tree, as a follower does. */
export async function storeStage(store: Store, stage: bigint, rows: ScoredRows): Promise<void> {
  await scoreStage(store, { number: Number(stage), height: Number(stage), isFinalized: true }, rows);
  const total = rows.reduce((sum, [, score]) => sum + score, 0n);
  await store.scores.storeTree(await buildTree({ bridgeId, stage, total }, StageRows.from(new Map(rows))));
}
