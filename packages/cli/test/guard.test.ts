import { describe, expect, onTestFinished, test } from "vitest";
import { VipError, type Vm } from "@vipscore/core";
import { vms } from "@vipscore/core/values";
import { startHardhat, testAccounts } from "@vipscore/localnet";
import { until } from "@vipscore/testkit/until";
import { addressOf, csvOf, type JsonObject, type TestFolder } from "./harness.ts";
import { setStage, useRollup, type LocalL1 } from "./localL1.ts";

interface Event {
  readonly event: string;
  readonly code: string;
  readonly text: string;
}

function eventsOf(stdout: string): readonly Event[] {
  const objects = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as JsonObject]));
  return objects.filter((object) => "event" in object) as unknown as readonly Event[];
}

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
    expect(eventsOf(second.stdout)).toEqual([]);
    expect(second.status).toBe(first.status);
    return eventsOf(first.stdout).map(({ event, code }) => `${event} ${code}`);
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
    expect(await round()).toContain("begins owner");
    await folder.write("scores.csv", csvOf(3, 5000));
    await folder.ok(["push", "scores.csv", "--stage", "3"]);
    const codes = async (): Promise<readonly string[]> =>
      eventsOf((await folder.cli(["guard", "--once", "--json"])).stdout).map(({ event, code }) => `${event} ${code}`);
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
    await folder.deploy(2);
    await setStage(l1, 2n, tomorrow());
  });

  test("serves its findings as metrics, never uses a key, and ends with SIGTERM", async () => {
    const stopping = new AbortController();
    let stderr = "";
    const env = { PRIVATE_KEY: `0x${"11".repeat(32)}` };
    const args = ["guard", "--interval", "1s", "--metrics-port", "0", "--json"];
    const running = folder.cli(args, { env, signal: stopping.signal, onError: (text) => (stderr += text) });
    const url = await until("the metrics", () => Promise.resolve(/http:\S+\/metrics/.exec(stderr)?.[0]));
    const read = async (): Promise<string> => (await fetch(url)).text();
    await until("the first round", async () =>
      (await read()).includes("vipscore_guard_last_check 1") ? true : undefined,
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
    const codes = async (...args: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await folder.cli(["guard", "--once", "--json", ...args]);
      return eventsOf(stdout).map(({ event, code }) => `${event} ${code}`);
    };
    expect(await codes()).toContain("begins owner");
    const nowhere = "http://127.0.0.1:9";
    expect(await codes("--l1-rest-url", nowhere)).toEqual(["begins l1"]);
    const away = await codes("--endpoint", nowhere, "--vm", "evm", "--contract", address);
    expect(away.filter((event) => event.startsWith("ends ") && event !== "ends l1")).toEqual([]);
    expect(away).toContain("begins rollup");
    // Of both, the end.
    expect(await codes()).toEqual(expect.arrayContaining(["ends rollup"]));
  });

  test("two endpoints that show another stage are a finding", async () => {
    const node = await startHardhat();
    onTestFinished(() => node.stop());
    const env = { VIPSCORE_SECOND_ENDPOINT: node.rpcUrl };
    const codes = async (): Promise<readonly string[]> => {
      const { stdout } = await folder.cli(["guard", "--once", "--json"], { env });
      return eventsOf(stdout).map(({ event, code }) => `${event} ${code}`);
    };
    // The same chain ID and contract.
    const on = ["--endpoint", node.rpcUrl];
    const key = { env: { MNEMONIC: testAccounts.deployer.mnemonic } };
    await folder.ok(["deploy", "--init-stage", "2", ...on], key);
    expect(await codes()).not.toContain("begins endpoints");
    await folder.write("scores.csv", csvOf(3));
    await folder.ok(["push", "scores.csv", "--stage", "2", ...on], key);
    await folder.ok(["members", "add", addressOf(0xbeef)]);
    await folder.ok(["members", "add", addressOf(0xbeee)]);
    expect(await codes()).toContain("begins endpoints");
  });
});
