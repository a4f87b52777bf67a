import { expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { naiveRoot } from "@vipscore/testkit/naiveTree";
import { until } from "@vipscore/testkit/until";
import { codeOf, csvOf, type CliResult, type JsonObject, type TestFolder } from "./harness.ts";
import { setStage, u64, useRollup, type LocalL1 } from "./localL1.ts";
import { broadcastFile } from "./proposalL1.ts";

const { deployer, operator } = testAccounts;
const bridgeId = 8n;
const vestingPeriod = 4n;
const bridge = ["--bridge-id", `${bridgeId}`];
let l1: LocalL1;
let folder: TestFolder;
let contract: string;
useRollup({ vm: "move" }, async (...started) => {
  [l1, folder] = started;
  await setStage(l1, 1n);
  await period(86_400n);
  contract = await folder.deploy(2);
  await l1.register(bridgeId, contract, 0n);
  await l1.call("advance_stage");
  await folder.write("scores.csv", `${csvOf(4)}${deployer.address},500\n`);
  for (const stage of [2n, 3n, 4n]) await endStage(stage);
});

const period = (seconds: bigint): Promise<void> =>
  l1.call("set_parameters", ...[86_400n, vestingPeriod, seconds, 0n].map(u64));

/** Scores the current stage and ends it. */
async function endStage(stage: bigint): Promise<void> {
  const args = ["--stage", `${stage}`];
  await folder.ok(["push", "scores.csv", ...args]);
  await l1.call("advance_stage");
  await folder.ok(["finalize", ...args, "--file", "scores.csv", "--yes"]);
}

interface Row {
  readonly address: string;
  readonly score: string;
}

/** What L1 has of a stage if VIP's agent is right. */
async function rightSnapshot(stage: bigint): Promise<{ readonly root: string; readonly total: bigint }> {
  const { scores, total } = await folder.ok(["export", "--stage", `${stage}`]);
  const rows = (scores as unknown as readonly Row[]).map(({ address, score }) => ({
    account: address,
    score: BigInt(score),
  }));
  return { root: naiveRoot({ bridgeId, stage, rows }) ?? "", total: BigInt(total as string) };
}

async function submit(stage: bigint): Promise<void> {
  const { root, total } = await rightSnapshot(stage);
  await l1.submit(bridgeId, stage, root, total);
}

interface Check {
  readonly check: string;
  readonly state: string;
  readonly text: string;
  readonly fix: readonly string[];
}

/** The exit status of `doctor`, and what it says of a check: each state and the text. */
async function examine(wanted: "snapshot" | "claims"): Promise<{ readonly status: number; readonly found: string }> {
  const result = await folder.cli(["doctor", ...bridge, "--json"]);
  const checks = result.json()["checks"] as unknown as readonly Check[];
  const found = checks
    .filter(({ check }) => check === wanted)
    .map(({ state, text, fix }) => [state, text, ...fix].join(" "));
  return { status: result.status, found: found.join("\n") };
}

const claimOperator = (out: string, more: readonly string[] = []): Promise<CliResult> =>
  folder.cli(["operator", "claim", ...bridge, "--out", out, "--sign", ...more], {
    env: { MNEMONIC: operator.mnemonic },
  });

const claim = (out: string, ...files: readonly string[]): Promise<CliResult> =>
  folder.cli(["claim", "--address", deployer.address, "--proofs", ...files, "--out", out, "--json"]);

test("a wrong snapshot behind right ones: doctor is red within its challenge period and after it", async () => {
  const { root, total } = await rightSnapshot(2n);
  // The agent catches up: it submits three stages at once. The operator claims at once.
  await l1.submit(bridgeId, 2n, "ab".repeat(32), total);
  await submit(3n);
  await submit(4n);
  expect((await claimOperator("operator.json")).status).toBe(0);
  expect(await broadcastFile(l1, folder.cwd, "operator.json")).toBe("");
  const open = await examine("snapshot");
  expect(open.status).toBe(3);
  expect(open.found).toMatch(/^action .*\bstage 2\b.*\buntil 20\d\d-.*\bvipscore proposal challenge --stage 2\b/m);
  expect(open.found).toMatch(/^ok .*\b2 stages\b.*\b4\b/m);
  const quiet = await folder.cli(["doctor", ...bridge, "--quiet"]);
  expect(quiet).toMatchObject({ status: 3, stdout: expect.stringMatching(/^✗ snapshot .*\bstage 2\b/m) as unknown });
  expect(quiet.stdout).not.toMatch(/^[^✗ ]/m);
  await period(0n);
  const over = await examine("snapshot");
  expect(over.status).toBe(3);
  expect(over.found).toMatch(/^action .*\bstage 2\b/m);
  expect(over.found).not.toContain("proposal challenge");
  await period(86_400n);
  await l1.challenge(bridgeId, 2n, root, total);
  const right = await examine("snapshot");
  expect(right).toMatchObject({ status: 0, found: expect.stringMatching(/^ok .*\b3 stages\b.*\b4\b/) as unknown });
});

test("a removed snapshot behind the operator's claim: no command calls it not there yet", async () => {
  for (const stage of ["2", "3"]) await folder.ok(["snapshot", "--stage", stage, ...bridge, "--out", `${stage}.json`]);
  await l1.govern("execute_rollup_challenge", u64(bridgeId), u64(2n));
  const removed = await examine("snapshot");
  expect(removed.status).toBe(3);
  expect(removed.found).toMatch(/^action .*\bstage 2\b.*\bstage 4\b/m);
  expect(removed.found).toMatch(/^ok .*\b2 stages\b.*\b4\b/m);
  expect((await folder.cli(["doctor", ...bridge, "--quiet"])).stdout).toMatch(/\bstage 2\b/);
  const refused = [
    await folder.cli(["snapshot", "--stage", "2", ...bridge, "--json"]),
    await folder.cli(["verify-proof", "2.json", "--json"]),
    await folder.cli(["report", "--stage", "2", ...bridge, "--json"]),
    await claim("removed.json", "2.json"),
  ];
  for (const result of refused) {
    expect(result.status).toBe(3);
    expect(codeOf(result)).toBe("SNAPSHOT_DIFFERS");
    expect(result.stderr).toMatch(/\bstage 2\b.*\bstage 4\b/);
    expect(result.stderr).not.toMatch(/\bnot there\b/);
  }
  // A claim that crosses the stage, too; the operator's does not.
  expect(codeOf(await claim("crossing.json", "2.json", "3.json"))).toBe("SNAPSHOT_DIFFERS");
  expect((await examine("claims")).found).not.toContain("refuses");
  await submit(2n);
  expect((await examine("snapshot")).status).toBe(0);
});

test("the vesting of a registration that has ended is promised as far as L1 pays it", async () => {
  await period(0n);
  // Stage 5 is the last one: of a vesting of four stages, those of stages 2 to 5 pay three parts, two, one and none.
  await l1.govern("deregister", u64(bridgeId));
  await endStage(5n);
  await l1.call("advance_stage");
  await submit(5n);
  const said = await claimOperator("ended.json");
  expect(said.stdout).toMatch(/^ +5 .*\bnever\b/m);
  const rewards = (await folder.cli(["operator", "claim", ...bridge, "--out", "draft.json", "--json"])).json()[
    "rewards"
  ] as unknown as readonly JsonObject[];
  const part = BigInt(rewards[0]?.["reward"] as string) / vestingPeriod;
  expect(rewards.map(({ stage, unpaid }) => [stage, unpaid])).toEqual([
    ["2", `${part}`],
    ["3", `${2n * part}`],
    ["4", `${3n * part}`],
    ["5", `${4n * part}`],
  ]);
  expect((await examine("claims")).found).toMatch(/\bstage 5\b.*\bnever\b/);
  expect(await broadcastFile(l1, folder.cwd, "ended.json")).toBe("");
  expect((await examine("claims")).found).toBe("");

  for (const stage of ["4", "5"]) await folder.ok(["snapshot", "--stage", stage, ...bridge, "--out", `${stage}.json`]);
  const files = ["2", "3", "4", "5"].map((stage) => `${stage}.json`);
  // L1 takes the claim a second after the snapshot at the earliest.
  const user = await until("the end of the challenge period", async () => {
    const result = await claim("user.json", ...files);
    return result.status === 0 ? result : undefined;
  });
  const opened = user.json()["rewards"] as unknown as readonly JsonObject[];
  const parts = opened.map(
    ({ part: each, reward, unpaid }) => (BigInt(reward as string) - BigInt(unpaid as string)) / BigInt(each as string),
  );
  expect(parts).toEqual([3n, 2n, 1n, 0n]);
  expect(user.stderr).toMatch(/\bstage 5\b.*\bnever\b/);
  const page = await folder.ok(["report", "--stage", "5", ...bridge, "--out", "ended.html"]);
  expect(page["l1"]).toMatchObject({ status: "matches" });
});
