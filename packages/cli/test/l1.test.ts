import { expect, test } from "vitest";
import { serveBridgeInfo } from "@vipscore/localnet";
import { csvOf, type TestFolder } from "./harness.ts";
import { useRollup, type LocalL1 } from "./localL1.ts";
import { interruptWatch, startWatch } from "./watchHarness.ts";

let l1: LocalL1;
let folder: TestFolder;

useRollup({ vm: "evm" }, async (...started) => {
  [l1, folder] = started;
  await folder.write("scores.csv", csvOf(3));
});

test("deploy warns of a first stage that L1 will never expect", async () => {
  const late = await folder.cli(["deploy", "--init-stage", "9"]);
  expect(late.status).toBe(0);
  expect(late.stderr).toMatch(/^warning .*\bstage 1\b.*\bstage 2\b.*\bstage 9\b/m);
  const right = await folder.cli(["deploy", "--init-stage", "1"]);
  expect(right.stderr).not.toMatch(/\bL1\b/);
});

test("push and finalize check L1's active stage", async () => {
  const push = await folder.ok(["push", "scores.csv", "--stage", "1"]);
  expect(push["l1"]).toMatchObject({ chainId: l1.chainId, stage: "1", isOverdue: false });
  const ahead = await folder.cli(["push", "scores.csv", "--stage", "2", "--json"]);
  expect(ahead.json()["error"]).toMatchObject({ code: "STAGE_AHEAD", exit: 3 });
  expect(ahead.stderr).not.toMatch(/finaliz/i);
  const finalize = ["finalize", "--stage", "1", "--file", "scores.csv", "--yes"];
  const running = await folder.cli([...finalize, "--json"]);
  expect(running.json()["error"]).toMatchObject({ code: "STAGE_RUNNING", exit: 3 });
  expect((await folder.ok(["status"]))["stages"]).toMatchObject([{ stage: "1", isFinalized: false }]);
  const watch = startWatch(folder.cwd, ["scores.csv"]);
  expect(await watch.round(1)).toMatchObject({ outcome: "ok", isFinalizeDue: false });
  await l1.call("advance_stage");
  expect(await watch.nextRound()).toMatchObject({ outcome: "ok", isFinalizeDue: true });
  expect(watch.stderr()).toMatch(/^warning .*\bvipscore finalize --stage 1 --file scores.csv$/m);
  await interruptWatch(watch);
  expect((await folder.ok(finalize))["l1"]).toMatchObject({ stage: "2" });
});

test("push warns of a stage that L1 does not take", async () => {
  const info = await serveBridgeInfo({ id: 7n, l1ChainId: l1.chainId });
  const env = { ROLLUP_REST_URL: info.url };
  const push = async (...args: readonly string[]) =>
    (await folder.cli(["push", "scores.csv", "--stage", "2", "--dry-run", ...args], { env })).stderr;
  expect(await push()).toMatch(/^warning .*\bL1\b.*\bbridge 7\b/m);
  const contract = (await folder.ok(["status"]))["contract"] as { readonly address: string };
  await l1.register(7n, contract.address, 2n);
  expect(await push()).toMatch(/^warning .*\bstage 2\b.*\bbridge 7\b.*\b3$/m);
  await info.close();
});

test("--early finalizes a stage that is still active on L1, with a warning", async () => {
  await folder.ok(["push", "scores.csv", "--stage", "2"]);
  const finalize = ["finalize", "--stage", "2", "--file", "scores.csv", "--yes"];
  expect((await folder.cli(finalize)).status).toBe(3);
  const early = await folder.cli([...finalize, "--early"]);
  expect(early.status).toBe(0);
  expect(early.stderr).toMatch(/^warning .*\bstage 2\b.*\bL1\b/im);
});

test("watch --stage auto waits for L1 to get to the next stage, then for its file", async () => {
  const watch = startWatch(folder.cwd, ["scores{stage}.csv", "--stage", "auto"]);
  const ahead = { stage: "3", outcome: "waiting", waitingFor: "stage 3 of L1", error: null };
  expect(await watch.round(1)).toMatchObject(ahead);
  expect(await watch.nextRound()).toMatchObject(ahead);
  await l1.call("advance_stage");
  expect(await watch.nextRound()).toMatchObject({ outcome: "waiting", waitingFor: "scores3.csv" });
  expect(watch.stderr().match(/\bwaiting for\b.*?,/g)).toEqual([
    "waiting for stage 3 of L1,",
    "waiting for scores3.csv,",
  ]);
  await interruptWatch(watch);
});

test("an endpoint of L1 that is not REST is named, with the setting", async () => {
  const result = await folder.cli(["push", "scores.csv", "--stage", "3", "--json"], {
    env: { L1_REST_URL: l1.rpcUrl, VIP_ADDRESS: "0x1" },
  });
  const error = result.json()["error"] as { readonly message: string };
  expect(error).toMatchObject({ code: "CONFIG_INVALID", exit: 2 });
  expect(error.message).toMatch(/^L1_REST_URL\b.*\bRPC\b.*\bREST\b/);
});

test("an L1 that does not answer stops a push before anything is sent", async () => {
  const result = await folder.cli(["push", "scores.csv", "--stage", "3", "--json"], {
    env: { L1_REST_URL: "http://127.0.0.1:9", VIP_ADDRESS: "0x1" },
  });
  expect(result.json()["error"]).toMatchObject({ code: "NODE_UNREACHABLE", exit: 4 });
});
