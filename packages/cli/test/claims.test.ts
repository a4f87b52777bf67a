import { afterAll, beforeAll, expect, test } from "vitest";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { naiveRoot } from "@vipscore/testkit/naiveTree";
import { csvOf, openTestFolder, type CliResult, type JsonObject, type TestFolder } from "./harness.ts";
import { setStage, startL1, u64, type LocalL1 } from "./localL1.ts";
import { broadcastFile } from "./proposalL1.ts";

const { deployer, operator } = testAccounts;
const bridgeId = 8n;
const vestingPeriod = 4n;
/** A tenth of what the local L1 gives its only bridge, which has no weight, in each stage. */
const operatorReward = 40_000_000n;
let l1: LocalL1;
let folder: TestFolder;
beforeAll(async () => {
  l1 = await startL1();
  folder = await openTestFolder(await startVipnode({ vm: "move" }), l1.endpoint);
  await setStage(l1, 1n);
  // An interval of a day, no challenge period and no minimum of the bridge.
  await l1.call("set_parameters", ...[86_400n, vestingPeriod, 0n, 0n].map(u64));
  await l1.register(bridgeId, await folder.deploy(2), 0n);
  await l1.call("advance_stage");
  // The deployer is a user.
  await folder.write("scores.csv", `${csvOf(4)}${deployer.address},500\n`);
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await l1[Symbol.asyncDispose]();
});

interface Row {
  readonly address: string;
  readonly score: string;
}
interface RewardJson {
  readonly version: string;
  readonly stage: string;
  readonly paid: string;
  readonly due: string;
  readonly isVesting: boolean;
}

/** Scores the current stage, ends it, and submits its snapshot as VIP's agent does, by another implementation of the tree. */
async function endStage(stage: bigint, version = 1n): Promise<void> {
  const args = ["--stage", `${stage}`];
  await folder.ok(["push", "scores.csv", ...args]);
  await l1.call("advance_stage");
  await folder.ok(["finalize", ...args, "--file", "scores.csv", "--yes"]);
  const { scores, total } = await folder.ok(["export", ...args]);
  const rows = (scores as unknown as readonly Row[]).map(({ address, score }) => ({
    account: address,
    score: BigInt(score),
  }));
  await l1.submit(bridgeId, stage, naiveRoot({ bridgeId, stage, rows }) ?? "", BigInt(total as string), version);
}

const codeOf = (result: CliResult): unknown => (result.json()["error"] as { readonly code: string }).code;

const operatorClaim = (out: string, more: readonly string[] = [], { mnemonic } = operator): Promise<CliResult> =>
  folder.cli(["operator", "claim", "--bridge-id", `${bridgeId}`, "--out", out, ...more, "--json"], {
    env: { MNEMONIC: mnemonic },
  });
const rewardsOf = (result: CliResult): readonly RewardJson[] => result.json()["rewards"] as unknown as RewardJson[];

test("the operator: the first claim opens the vesting, the second one pays what vested", async () => {
  expect(codeOf(await operatorClaim("early.json"))).toBe("CLAIM_INVALID");
  await endStage(2n);
  expect(codeOf(await operatorClaim("wrong.json", ["--sign"], deployer))).toBe("PERMISSION_DENIED");
  const draft = await operatorClaim("draft.json");
  expect(draft.json()).toMatchObject({
    call: {
      function: "batch_claim_operator_reward_script",
      arguments: [
        { name: "bridge_id", value: `${bridgeId}` },
        { name: "version", value: "1" },
      ],
    },
    isSigned: false,
  });
  const first = await operatorClaim("first.json", ["--sign"]);
  const opened = { version: "1", stage: "2", reward: `${operatorReward}`, paid: "0", due: "0", endStage: "6" };
  expect(rewardsOf(first)).toEqual([{ ...opened, isVesting: false }]);
  expect(await broadcastFile(l1, folder.cwd, "first.json")).toBe("");
  expect(codeOf(await operatorClaim("none.json", ["--sign"]))).toBe("CLAIM_INVALID");

  await endStage(3n);
  const due = operatorReward / vestingPeriod;
  const second = await operatorClaim("second.json", ["--sign"]);
  expect(rewardsOf(second)).toMatchObject([
    { stage: "2", paid: "0", due: `${due}`, isVesting: true },
    { stage: "3", paid: "0", due: "0", isVesting: false },
  ]);
  expect(await broadcastFile(l1, folder.cwd, "second.json")).toBe("");
  await endStage(4n);
  expect(rewardsOf(await operatorClaim("third.json"))).toMatchObject([
    { stage: "2", paid: `${due}`, due: `${due}` },
    { stage: "3", paid: "0", due: `${due}` },
    { stage: "4", isVesting: false },
  ]);
});

test("the operator: a registration that has ended is claimed by its version", async () => {
  await l1.govern("deregister", u64(bridgeId));
  const ended = await operatorClaim("ended.json");
  expect((ended.json()["call"] as JsonObject)["arguments"]).toMatchObject([{}, { value: "1" }]);
  await l1.register(bridgeId, "0x1", 0n);
  const newest = await operatorClaim("newest.json");
  expect(newest.json()["error"]).toMatchObject({ code: "CLAIM_INVALID", hints: [expect.stringMatching(/\b1\b/)] });
  expect(codeOf(await operatorClaim("unknown.json", ["--bridge-version", "3"]))).toBe("INPUT_INVALID");
  expect((await operatorClaim("first-version.json", ["--bridge-version", "1", "--sign"])).status).toBe(0);
  expect(await broadcastFile(l1, folder.cwd, "first-version.json")).toBe("");
  const left = await operatorClaim("left.json", ["--bridge-version", "1"]);
  expect(codeOf(left)).toBe("CLAIM_INVALID");
});
