import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAccount } from "@vipscore/core";
import { readBalance } from "@vipscore/l1";
import { testAccounts } from "@vipscore/localnet";
import { naiveRoot } from "@vipscore/testkit/naiveTree";
import { until } from "@vipscore/testkit/until";
import { addressOf, codeOf, csvOf, type CliResult, type JsonObject, type TestFolder } from "./harness.ts";
import { setStage, u64, useRollup, type LocalL1 } from "./localL1.ts";
import { broadcastFile } from "./proposalL1.ts";

const { deployer, operator } = testAccounts;
const bridgeId = 8n;
const vestingPeriod = 4n;
/** A tenth of what the local L1 gives its only bridge, which has no weight, in each stage. */
const operatorReward = 40_000_000n;
let l1: LocalL1;
let folder: TestFolder;
useRollup({ vm: "move" }, async (...started) => {
  [l1, folder] = started;
  await setStage(l1, 1n);
  // An interval of a day, no challenge period and no minimum of the bridge.
  await l1.call("set_parameters", ...[86_400n, vestingPeriod, 0n, 0n].map(u64));
  await l1.register(bridgeId, await folder.deploy(2), 0n);
  await l1.call("advance_stage");
  // The deployer is a user, with a score in all stages but one.
  await folder.write("scores.csv", `${csvOf(4)}${deployer.address},500\n`);
  await folder.write("others.csv", csvOf(4));
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
async function endStage(stage: bigint, file = "scores.csv"): Promise<void> {
  const args = ["--stage", `${stage}`];
  await folder.ok(["push", file, ...args]);
  await l1.call("advance_stage");
  await folder.ok(["finalize", ...args, "--file", file, "--yes"]);
  const { scores, total } = await folder.ok(["export", ...args]);
  const rows = (scores as unknown as readonly Row[]).map(({ address, score }) => ({
    account: address,
    score: BigInt(score),
  }));
  await l1.submit(bridgeId, stage, naiveRoot({ bridgeId, stage, rows }) ?? "", BigInt(total as string));
}

const operatorClaim = (out: string, more: readonly string[] = [], { mnemonic } = operator): Promise<CliResult> =>
  folder.cli(["operator", "claim", "--bridge-id", `${bridgeId}`, "--out", out, ...more, "--json"], {
    env: { MNEMONIC: mnemonic },
  });
const rewardsOf = (result: CliResult): readonly RewardJson[] => result.json()["rewards"] as unknown as RewardJson[];

const doctorClaims = (): Promise<string> => doctorFindings("claims");

/** What a check of `doctor` finds that is not fine, with the steps. */
async function doctorFindings(wanted: "claims" | "snapshot"): Promise<string> {
  const report = (await folder.cli(["doctor", "--bridge-id", `${bridgeId}`, "--json"])).json();
  const checks = report["checks"] as unknown as readonly Check[];
  const found = checks.filter(({ check, state }) => check === wanted && state !== "ok");
  return found.flatMap(({ text, fix }) => [text, ...fix]).join("\n");
}

interface Check {
  readonly check: string;
  readonly state: string;
  readonly text: string;
  readonly fix: readonly string[];
}

test("the operator: the first claim opens the vesting, the second one pays what vested", async () => {
  expect(codeOf(await operatorClaim("early.json"))).toBe("CLAIM_INVALID");
  expect(await doctorClaims()).toBe("");
  await endStage(2n);
  const waiting = await doctorClaims();
  expect(waiting).toMatch(/\bversion 1\b.*\b40,000,000 umin\b.*\bstage 2\b/);
  expect(waiting).toMatch(/\bvipscore operator claim --bridge-id 8 --out \S+ --sign$/);
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
  const opened = {
    version: "1",
    stage: "2",
    reward: `${operatorReward}`,
    paid: "0",
    due: "0",
    endStage: "6",
    unpaid: "0",
  };
  expect(rewardsOf(first)).toEqual([{ ...opened, isVesting: false }]);
  expect(await broadcastFile(l1, folder.cwd, "first.json")).toBe("");
  expect(codeOf(await operatorClaim("none.json", ["--sign"]))).toBe("CLAIM_INVALID");
  expect(await doctorClaims()).toBe("");

  await endStage(3n, "others.csv");
  const due = operatorReward / vestingPeriod;
  expect(await doctorClaims()).toMatch(/\b10,000,000 umin\b.*\bstage 2\b.*\b40,000,000 umin\b.*\bstage 3\b/);
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

const userClaim = (
  files: readonly string[],
  more: readonly string[] = [],
  { mnemonic } = deployer,
): Promise<CliResult> => {
  const args = ["claim", "--address", deployer.address, "--proofs", ...files.map((file) => `${file}.json`)];
  return folder.cli([...args, ...more, "--json"], { env: { MNEMONIC: mnemonic } });
};

/** Claims as {@link userClaim}, once the challenge period is over: a second after the snapshot at the earliest. */
const dueClaim: typeof userClaim = (...args) =>
  until("the end of the challenge period", async () => {
    const result = await userClaim(...args);
    return result.status === 0 ? result : undefined;
  });

const balance = (): Promise<bigint> =>
  readBalance({
    l1RestUrl: l1.endpoint.restUrl,
    account: parseAccount(deployer.address, { accountBytes: [20] }),
    denom: "umin",
  });

/** The fee of a transaction. */
async function feeOf(file: string): Promise<bigint> {
  const tx = JSON.parse(await readFile(join(folder.cwd, file), "utf8")) as {
    readonly auth_info: { readonly fee: { readonly amount: readonly { readonly amount: string }[] } };
  };
  return BigInt(tx.auth_info.fee.amount[0]?.amount ?? "0");
}

test("a user: the first claim opens the vesting, the second one pays what vested", async () => {
  for (const stage of ["2", "3", "4"]) await folder.ok(["snapshot", "--stage", stage, "--out", `${stage}.json`]);
  const out = ["--out", "user.json"];
  const early = await userClaim(["3", "4"], out);
  expect(early.json()["error"]).toMatchObject({ code: "INPUT_INVALID", message: expect.stringMatching(/\b2\b/) });
  expect((await userClaim(["3"], ["--out", "given-up.json", "--stages", "3"])).stderr).toMatch(/^warning .*\b2\b/m);
  expect(codeOf(await userClaim(["2"], [...out, "--sign"], operator))).toBe("PERMISSION_DENIED");
  const first = await userClaim(["4", "2", "3"], [...out, "--stages", "2", "--sign"]);
  const rewards = first.json()["rewards"] as unknown as readonly { readonly part: string }[];
  const nothing = { paid: "0", lost: "0" };
  // The others have 1000 to 1003.
  const reward = (400_000_000n - operatorReward) * 500n;
  expect(rewards).toMatchObject([
    { stage: "2", score: "500", reward: `${reward / 4506n}`, minimumScore: "250", ...nothing },
  ]);
  expect(await broadcastFile(l1, folder.cwd, "user.json")).toBe("");

  // That the account has no score in stage 3 is proven by all scores, which need no proofs.
  await folder.ok(["snapshot", "--stage", "3", "--proof", deployer.address, "--out", "scores3.json"]);
  const next = await dueClaim(["scores3", "4"], ["--out", "next.json", "--sign"]);
  const part = rewards[0]?.part ?? "";
  expect(next.json()["rewards"]).toMatchObject([
    { stage: "3", score: "0", reward: "0", paid: "0", lost: part },
    { stage: "4", paid: part, lost: "0" },
  ]);
  expect(next.stderr).toMatch(/\bno score\b[^]*\bstage 3\b[^]*--address/);
  const sum = Number(part).toLocaleString("en-US");
  expect(next.stderr).toMatch(
    new RegExp(`^ +3 +0 +0 +${sum} [^]*^ +4 +500 +${sum} +0 [^]*\\bpays ${sum} umin\\b.*\\bloses ${sum} umin\\b`, "m"),
  );
  expect((next.json()["call"] as JsonObject)["arguments"]).toMatchObject([
    { value: `${bridgeId}` },
    { value: "1" },
    { value: "3, 4" },
    { name: "merkle_proofs" },
    { value: "0, 500" },
  ]);
  const before = await balance();
  expect(await broadcastFile(l1, folder.cwd, "next.json")).toBe("");
  // Of stage 2, stage 3 paid nothing, because the score was below the minimum, and stage 4 a whole part.
  expect((await balance()) + (await feeOf("next.json")) - before).toBe(BigInt(part));
});

test("a user: what L1 would refuse is refused", async () => {
  const refused = async (files: readonly string[], ...more: readonly string[]): Promise<unknown> =>
    codeOf(await userClaim(files, ["--out", "refused.json", ...more]));
  // Every stage was claimed.
  expect(await refused(["3", "4"])).toBe("CLAIM_INVALID");
  await endStage(5n);
  await endStage(6n);
  const of = (stage: string): readonly string[] => ["snapshot", "--stage", stage];
  for (const stage of ["5", "6"]) await folder.ok([...of(stage), "--out", `${stage}.json`]);
  expect(await refused(["6"])).toBe("CLAIM_INVALID");
  expect(await refused(["4", "6"])).toBe("INPUT_INVALID");
  expect(await refused(["5", "5"])).toBe("INPUT_INVALID");
  expect(await refused(["5"], "--stages", "5-6")).toBe("INPUT_INVALID");
  expect(await refused(["5"], "--stages", "6")).toBe("INPUT_INVALID");
  expect(await refused(["5"], "--stages", "6-5")).toBe("INPUT_INVALID");

  const file = JSON.parse(await readFile(join(folder.cwd, "5.json"), "utf8")) as JsonObject;
  const target = file["l1"] as JsonObject;
  const codeWith = async (changed: object, files: readonly string[] = ["changed"]): Promise<unknown> => {
    await folder.write("changed.json", JSON.stringify({ ...file, ...changed }));
    return refused(files);
  };
  for (const wrong of [{ version: "2" }, { chainId: "another-1" }, { vipAddress: `0x${"1".repeat(64)}` }]) {
    expect(await codeWith({ l1: { ...target, ...wrong } })).toBe("PROOF_INVALID");
    expect(await codeWith({ l1: { ...target, ...wrong } }, ["changed", "6"])).toBe("INPUT_INVALID");
  }
  expect(await codeWith({ l1: null })).toBe("INPUT_INVALID");
  expect(await codeWith({ total: "1" })).toBe("PROOF_INVALID");
  // Without the other accounts, nobody knows that this one has no score.
  await folder.ok([...of("3"), "--proof", addressOf(0xabc000), "--out", "one.json"]);
  expect(await refused(["one"])).toBe("INPUT_INVALID");
  const { leaves } = file as unknown as { readonly leaves: readonly Row[] };
  expect(await codeWith({ leaves: leaves.filter(({ address }) => BigInt(address) !== BigInt(deployer.address)) })).toBe(
    "INPUT_INVALID",
  );

  await l1.call("set_parameters", ...[86_400n, vestingPeriod, 86_400n, 0n].map(u64));
  expect(await refused(["5"])).toBe("CLAIM_INVALID");
  await l1.call("set_parameters", ...[86_400n, vestingPeriod, 0n, 0n].map(u64));
  expect((await dueClaim(["5"], ["--out", "draft-of-user.json"])).json()).toMatchObject({ isSigned: false });
});

test("a snapshot that a challenge removed: the operator writes no claim that L1 would refuse, and doctor names the stage", async () => {
  const period = (seconds: bigint): Promise<void> =>
    l1.call("set_parameters", ...[86_400n, vestingPeriod, seconds, 0n].map(u64));
  await period(86_400n);
  await l1.govern("execute_rollup_challenge", u64(bridgeId), u64(5n));
  const refused = (await operatorClaim("removed.json")).json();
  expect(refused["error"]).toMatchObject({ code: "CLAIM_INVALID", message: expect.stringMatching(/\bstage 5\b/) });
  expect(await doctorFindings("claims")).toMatch(/\bstage 5\b/);
  expect(await doctorFindings("snapshot")).toMatch(/\bstage 5\b.*\bstage 6\b/);
  expect((await folder.cli(["doctor", "--bridge-id", `${bridgeId}`, "--quiet"])).status).toBe(3);
  const { root, total } = JSON.parse(await readFile(join(folder.cwd, "5.json"), "utf8")) as JsonObject;
  await l1.submit(bridgeId, 5n, root as string, BigInt(total as string));
  await period(0n);
  expect((await operatorClaim("again.json")).status).toBe(0);
});

test("a registration that has ended is claimed by its version", async () => {
  await l1.govern("deregister", u64(bridgeId));
  const ended = await operatorClaim("ended.json");
  expect((ended.json()["call"] as JsonObject)["arguments"]).toMatchObject([{}, { value: "1" }]);
  await l1.register(bridgeId, "0x1", 0n);
  const newest = await operatorClaim("newest.json");
  expect(newest.json()["error"]).toMatchObject({ code: "CLAIM_INVALID", hints: [expect.stringMatching(/\b1\b/)] });
  expect(codeOf(await operatorClaim("unknown.json", ["--bridge-version", "3"]))).toBe("INPUT_INVALID");
  expect(await doctorClaims()).toMatch(/\bversion 1\b[^]*--bridge-version 1\b/);
  expect((await operatorClaim("first-version.json", ["--bridge-version", "1", "--sign"])).status).toBe(0);
  expect(await broadcastFile(l1, folder.cwd, "first-version.json")).toBe("");
  const left = await operatorClaim("left.json", ["--bridge-version", "1"]);
  expect(codeOf(left)).toBe("CLAIM_INVALID");
  const user = await dueClaim(["5", "6"], ["--out", "ended-user.json", "--sign"]);
  expect((user.json()["call"] as JsonObject)["arguments"]).toMatchObject([{}, { value: "1" }, {}, {}, {}]);
  expect(await broadcastFile(l1, folder.cwd, "ended-user.json")).toBe("");
});
