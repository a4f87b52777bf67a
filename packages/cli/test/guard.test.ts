import { describe, expect, onTestFinished, test } from "vitest";
import { VipError, type Vm } from "@vipscore/core";
import { vms } from "@vipscore/core/values";
import { openJsonRpc } from "@vipscore/core/wire";
import { startHardhat, testAccounts } from "@vipscore/localnet";
import { until } from "@vipscore/testkit/until";
import { codesOf, eventsOf } from "./guardEvents.ts";
import { addressOf, csvOf, type JsonObject, type TestFolder } from "./harness.ts";
import { setStage, useRollup, type LocalL1 } from "./localL1.ts";

const tomorrow = (): bigint => BigInt(Math.floor(Date.now() / 1000) + 86_400);

describe.each(vms)("%s", (vm: Vm) => {
  let l1: LocalL1;
  let folder: TestFolder;
  useRollup({ vm }, async (...started) => {
    [l1, folder] = started;
    await setStage(l1, 1n, tomorrow());
    await folder.deploy(2);
    await folder.write("scores.csv", csvOf(3));
    await setStage(l1, 2n, tomorrow());
  });

  /** Runs two rounds, each without any memory but the file's: what the first one reports, the second one does not repeat. */
  async function round(): Promise<readonly string[]> {
    const [first, second] = [
      await folder.cli(["guard", "--once", "--json"]),
      await folder.cli(["guard", "--once", "--json"]),
    ];
    expect(codesOf(second.stdout)).toEqual([]);
    expect(second.status).toBe(first.status);
    return codesOf(first.stdout);
  }

  test("each finding is reported once when it begins and once when it ends", async () => {
    await round();
    const member = addressOf(0xbeef);
    await folder.ok(["members", "add", member]);
    expect(await round()).toEqual(["begins owner"]);
    await folder.ok(["members", "remove", member]);
    expect(await round()).toEqual(["ends owner"]);
    await folder.ok(["push", "scores.csv", "--stage", "2"]);
    expect(await round()).toEqual([]);

    // A stage that L1 has left.
    await setStage(l1, 3n, tomorrow());
    expect(await round()).toEqual(["begins open-stage"]);
    await folder.ok(["finalize", "--stage", "2", "--file", "scores.csv", "--yes"]);
    expect(await round()).toEqual(["ends open-stage"]);

    // Somebody writes from another folder.
    await folder.ok(["push", "scores.csv", "--stage", "3", "--journal", "elsewhere.jsonl"]);
    expect(await round()).toEqual(["begins writers"]);
    const status = (await folder.cli(["guard", "--once", "--json"])).status;
    expect(status).toBe(3);
  });

  test("the settings say whom to expect, and how far a total may move", async () => {
    const guard = { owner: testAccounts.deployer.address, finalizer: addressOf(0xf1), maxTotalChange: "5000" };
    await folder.write("vipscore.config.json", JSON.stringify({ guard }));
    const member = addressOf(0xbeef);
    await folder.ok(["members", "add", member]);
    const found = eventsOf((await folder.cli(["guard", "--once", "--json"])).stdout);
    const text = found.find(({ event, code }) => event === "begins" && code === "owner")?.text.toLowerCase();
    // The settings name the finalizer, and no members: these were seen first.
    expect(text).toMatch(
      new RegExp(`${guard.finalizer}.* vipscore\\.config\\.json; ${member}.* \\.vipscore/guard\\.json$`),
    );
    await folder.write("scores.csv", csvOf(3, 5000));
    await folder.ok(["push", "scores.csv", "--stage", "3"]);
    const codes = async (): Promise<readonly string[]> =>
      codesOf((await folder.cli(["guard", "--once", "--json"])).stdout);
    expect(await codes()).toContain("begins total-change");
    expect(await codes()).toEqual(["ends total-change"]);
  });
});

describe("a guard that goes on", () => {
  let l1: LocalL1;
  let folder: TestFolder;
  useRollup({ vm: "evm" }, async (...started) => {
    [l1, folder] = started;
    await setStage(l1, 1n, tomorrow());
    await l1.register(5n, await folder.deploy(2), 2n);
    await setStage(l1, 2n, tomorrow());
  });

  /** One round, with only the file as memory. */
  const codes = async (args: readonly string[] = [], env = {}): Promise<readonly string[]> => {
    const { stdout } = await folder.cli(["guard", "--once", "--json", ...args], { env });
    return codesOf(stdout);
  };

  test("serves its findings as metrics, never uses a key, and ends with SIGTERM", async () => {
    const stopping = new AbortController();
    let stderr = "";
    const env = { PRIVATE_KEY: `0x${"11".repeat(32)}` };
    const args = ["guard", "--interval", "1s", "--metrics-port", "0", "--json"];
    const running = folder.cli(args, { env, signal: stopping.signal, onError: (text) => (stderr += text) });
    const url = await until("the metrics", () => Promise.resolve(/http:\S+\/metrics/.exec(stderr)?.[0]));
    const read = async (): Promise<string> => (await fetch(url)).text();
    await until("the first round", async () =>
      (await read()).includes("vipscore_guard_last_check_seconds 1") ? true : undefined,
    );
    expect(await read()).toMatch(/^vipscore_finding\{code="control",severity="warning"\} \d{10}/m);
    expect(await read()).toMatch(/^vipscore_guard_stage_l1 2$/m);
    await setStage(l1, 3n, tomorrow());
    const begun = /^vipscore_finding\{code="open-stage",severity="(?:action|warning)"\}/m;
    await until("the finding", async () => (begun.test(await read()) ? true : undefined));
    expect((await fetch(url.replace("metrics", "healthz"))).status).toBe(200);
    stopping.abort(new VipError("stopped", { code: "INTERRUPTED", cause: "SIGTERM" }));
    expect((await running).status).toBe(0);
    expect(eventsOf((await running).stdout).filter(({ code }) => code === "open-stage")).toHaveLength(1);
    expect(stderr).not.toContain("signer");
  });

  test("what cannot be read ends nothing", async () => {
    const { contract } = await folder.ok(["status"]);
    const address = (contract as JsonObject)["address"] as string;
    await folder.ok(["members", "add", addressOf(0xbeed)]);
    expect(await codes()).toContain("begins owner");
    const nowhere = "http://127.0.0.1:9";
    expect(await codes(["--l1-rest-url", nowhere])).toEqual(["begins l1"]);
    const away = await codes(["--endpoint", nowhere, "--vm", "evm", "--contract", address]);
    expect(away.filter((event) => event.startsWith("ends ") && event !== "ends l1")).toEqual([]);
    expect(away).toContain("begins rollup");
    // Nor what shows no VM.
    expect(await codes(["--endpoint", nowhere])).toEqual([]);
    // Of both, the end.
    expect(await codes()).toEqual(expect.arrayContaining(["ends rollup"]));
  });

  test("two endpoints that show another stage are a finding", async () => {
    const node = await startHardhat();
    onTestFinished(() => node.stop());
    const env = { VIPSCORE_SECOND_ENDPOINT: node.rpcUrl };
    // The same chain ID and contract.
    const on = ["--endpoint", node.rpcUrl];
    const key = { env: { MNEMONIC: testAccounts.deployer.mnemonic } };
    await folder.ok(["deploy", "--init-stage", "2", ...on], key);
    expect(await codes([], env)).not.toContain("begins endpoints");
    await folder.write("scores.csv", csvOf(3));
    await folder.ok(["push", "scores.csv", "--stage", "2", ...on], key);
    await folder.ok(["members", "add", addressOf(0xbeef)]);
    await folder.ok(["members", "add", addressOf(0xbeee)]);
    expect(await codes([], env)).toContain("begins endpoints");

    // Code that does the same, under another hash.
    const { contract } = await folder.ok(["status", ...on]);
    const { address } = contract as JsonObject;
    const rpc = openJsonRpc(node.rpcUrl);
    const code = await rpc.read("eth_getCode", [address, "latest"], (answer) => answer.hex());
    await rpc.read("hardhat_setCode", [address, `${code}00`], () => undefined);
    const { stdout } = await folder.cli(["guard", "--once", "--json", ...on]);
    expect(eventsOf(stdout).find(({ code: of }) => of === "owner")?.text).toMatch(/\bcode\b.*\b0x[0-9a-f]{64}\b/);
  });

  test("a snapshot that differs, with the time until which a challenge helps", async () => {
    const bridge = ["--bridge-id", "5"];
    await codes(bridge);
    await l1.submit(5n, 2n, "ab".repeat(32), 7n);
    // The contract has none of its scores: they may be of an earlier contract.
    expect(await codes(bridge)).toContain("begins snapshot");
    await folder.write("scores.csv", csvOf(3));
    await folder.ok(["push", "scores.csv", "--stage", "2"]);
    await folder.ok(["finalize", "--stage", "2", "--file", "scores.csv", "--yes"]);
    const stopping = new AbortController();
    let stderr = "";
    const args = ["guard", "--metrics-port", "0", ...bridge];
    const running = folder.cli(args, { signal: stopping.signal, onError: (text) => (stderr += text) });
    const url = await until("the metrics", () => /http:\S+\/metrics/.exec(stderr)?.[0]);
    const challengeEnds = await until("the first round", async () => {
      const text = await (await fetch(url)).text();
      return /^vipscore_guard_challenge_ends_seconds ([1-9]\d*)/m.exec(text)?.[1];
    });
    expect(Number(challengeEnds)).toBeGreaterThan(Date.now() / 1000);
    stopping.abort(new VipError("stopped", { code: "INTERRUPTED", cause: "SIGTERM" }));
    expect((await running).stdout).toMatch(/changes {2}action {3}snapshot:.*\b3,003\b/);
  });
});
