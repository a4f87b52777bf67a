import { rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startVipnode } from "@vipscore/localnet";
import { passOn, script } from "@vipscore/testkit/scriptedServer";
import { started } from "@vipscore/testkit/started";
import { addressOf, csvOf, openTestFolder, startTestChain, type CliOptions, type TestFolder } from "./harness.ts";
import { bcsText, setStage, startL1, u64 } from "./localL1.ts";
import { addresses } from "./proposalL1.ts";

const l1 = started(() => startL1());
const folder = started(() => startTestChain({}, l1.endpoint));

beforeAll(() => folder.write("scores.csv", csvOf(3)));

interface Report {
  readonly status: number;
  /** The state of each check, several where it found several things. */
  readonly states: Readonly<Record<string, string>>;
  /** Findings and their fixes, by check. */
  readonly texts: Readonly<Record<string, string>>;
  readonly error: unknown;
}

interface Check {
  readonly check: string;
  readonly state: string;
  readonly text: string;
  readonly fix: readonly string[];
}

async function examine(
  args: readonly string[] = [],
  options: CliOptions = {},
  of: TestFolder = folder,
): Promise<Report> {
  const result = await of.cli(["doctor", "--json", ...args], options);
  const report = result.json();
  const checks = report["checks"] as unknown as readonly Check[];
  const states: Record<string, string> = {};
  const texts: Record<string, string> = {};
  for (const { check, state, text, fix } of checks) {
    states[check] = [states[check], state].filter(Boolean).join(" ");
    texts[check] = [texts[check], text, ...fix].filter(Boolean).join("\n");
  }
  return { status: result.status, states, texts, error: report["error"] };
}

test("before a deployment: red, with the command that deploys", async () => {
  const { status, states, texts, error } = await examine();
  expect(status).toBe(3);
  expect(states).toEqual({ rollup: "ok", versions: "skipped", contract: "action", l1: "ok" });
  expect(texts["contract"]).toMatch(/\bvipscore deploy --init-stage 2\b/);
  expect(error).toMatchObject({ code: "ACTION_REQUIRED", exit: 3 });
  const quiet = await folder.cli(["doctor", "--quiet"]);
  expect(quiet).toMatchObject({ status: 3, stdout: expect.stringMatching(/^✗ contract .*\n(?: +→ .*\n)+$/) as string });
});

test("a contract that a restarted local node has lost: deploy again", async () => {
  const name = await folder.write(
    ".vipscore/deployments.json",
    JSON.stringify({ "evm:31337": { address: addressOf(1) } }),
  );
  try {
    expect((await examine()).texts["contract"]).toMatch(/\bCONTRACT_NOT_FOUND\b[^]*\bvipscore deploy\b/);
  } finally {
    await rm(join(folder.cwd, name));
  }
});

test("a new contract: what registration would set, and nothing to do", async () => {
  const contract = await folder.deploy(2);
  const { status, states, texts, error } = await examine();
  expect({ status, error }).toEqual({ status: 0, error: undefined });
  expect(await folder.cli(["doctor", "--quiet"])).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect(states).toEqual({
    rollup: "ok",
    versions: "skipped",
    contract: "ok",
    control: "ok warning",
    l1: "ok",
    "first-stage": "ok",
    registration: "skipped",
    "open-stage": "ok",
    totals: "ok",
    signer: "ok",
    balance: "skipped",
  });
  expect(texts["contract"]).toContain(contract);
  expect(texts["first-stage"]).toMatch(/^2\b.*\b2\b/);
  // The rollup's endpoint is not REST, so its bridge cannot be asked for.
  for (const flag of ["--rollup-rest-url", "--bridge-id"]) expect(texts["registration"]).toContain(flag);
  const named = await examine(["--bridge-id", "6"]);
  expect(named).toMatchObject({ status: 0, states: { registration: "warning", snapshot: "skipped" } });
  expect(named.texts["registration"]).toContain("vipscore proposal register");
  const shown = await folder.cli(["doctor"]);
  expect(shown.stdout).toMatch(/^✓ rollup .*\n- versions .*\n +→ .*\n✓ contract /);
});

test("a first stage after the one that registration would set", async () => {
  await folder.deploy(9);
  const { status, states, texts } = await examine();
  expect({ status, state: states["first-stage"] }).toEqual({ status: 3, state: "action" });
  expect(texts["first-stage"]).toMatch(/\bstage 2\b.*\bstage 9\b/);
});

test("a registered contract, from its registration to a snapshot that differs", async () => {
  const contract = await folder.deploy(2);
  await l1.register(7n, contract, 2n);
  const registered = (): Promise<Report> => examine(["--bridge-id", "7"]);
  expect((await registered()).texts).toMatchObject({
    registration: expect.stringMatching(/\bbridge 7\b.*\bversion 1\b/) as unknown,
    "first-stage": expect.stringMatching(/^2\b.*\b2\b/) as unknown,
  });

  await setStage(l1, 3n);
  const late = await registered();
  expect({ status: late.status, state: late.states["open-stage"] }).toEqual({ status: 3, state: "action" });
  expect(late.texts["open-stage"]).toContain("vipscore finalize --stage 2 --file scores.csv");
  const unknown = await examine();
  expect(unknown).toMatchObject({ status: 0, states: { registration: "skipped", "open-stage": "warning" } });
  expect(unknown.texts["open-stage"]).not.toContain("vipscore");

  await folder.ok(["push", "scores.csv", "--stage", "2"]);
  await folder.ok(["finalize", "--stage", "2", "--file", "scores.csv", "--yes"]);
  const waiting = await registered();
  expect(waiting).toMatchObject({
    status: 0,
    states: { "open-stage": "ok", balance: "ok", snapshot: "ok", rewards: "skipped" },
  });
  expect(waiting.texts["balance"]).toMatch(/\b3 accounts\b.*\bstage 2\b/);

  const { root, total } = await folder.ok(["snapshot", "--stage", "2", "--bridge-id", "7"]);
  await l1.submit(7n, 2n, root as string, 5n);
  for (const wrongRoot of [undefined, "ab".repeat(32)]) {
    if (wrongRoot !== undefined) await l1.challenge(7n, 2n, wrongRoot, BigInt(total as string));
    const wrong = await registered();
    expect(wrong).toMatchObject({ status: 3, states: { snapshot: "action" } });
    expect(wrong.texts["snapshot"]).toContain("vipscore snapshot --stage 2");
  }
  await l1.challenge(7n, 2n, root as string, BigInt(total as string));
  const right = await registered();
  expect(right).toMatchObject({ status: 0, states: { snapshot: "ok" } });
  expect(right.texts["snapshot"]).toMatch(/\broot\b/);
});

test("a replaced contract, an ended registration and a new one", async () => {
  const first = await folder.deploy(2);
  await setStage(l1, 1n);
  await l1.register(8n, first, 2n);
  const ofBridge = (): Promise<Report> => examine(["--bridge-id", "8"]);
  await setStage(l1, 4n);
  await l1.submit(8n, 2n, "ab".repeat(32), 5n);
  await l1.submit(8n, 3n, "ab".repeat(32), 5n);

  // L1 has the stages before 4, so a contract that starts there serves the next one.
  const second = await folder.deploy(4);
  expect((await ofBridge()).states).toMatchObject({ registration: "action", "first-stage": "ok" });
  await l1.govern("update_l2_score_contract", u64(8n), bcsText(second));
  expect(await ofBridge()).toMatchObject({ status: 0, states: { registration: "ok", "first-stage": "ok" } });

  await l1.govern("deregister", u64(8n));
  await setStage(l1, 6n);
  const ended = await ofBridge();
  expect(ended).toMatchObject({ status: 3, states: { registration: "warning", "open-stage": "action" } });
  expect(ended.texts["open-stage"]).toContain("stage 4 is");
  await folder.ok(["push", "scores.csv", "--stage", "4"]);
  await folder.ok(["finalize", "--stage", "4", "--file", "scores.csv", "--yes"]);
  await l1.register(8n, second, 2n);
  const between = await ofBridge();
  expect(between).toMatchObject({ states: { registration: "ok", "first-stage": "ok", "open-stage": "warning" } });
  expect(between.texts["registration"]).toMatch(/\bversion 2\b/);
  // Stages 5 and 6 belong to neither registration.
  const [, write = "", finalize = ""] = between.texts["open-stage"]?.split("\n") ?? [];
  await folder.write("empty.csv", `${/echo (\S+) >/.exec(write)?.[1] ?? ""}\n`);
  const args = /vipscore (.*)/.exec(finalize)?.[1]?.split(" ") ?? [];
  expect(await folder.ok([...args, "--yes"])).toMatchObject({ stage: "5", verification: { isFinalized: true } });

  // L1 still takes stage 4 for version 1.
  const snapshot = ["snapshot", "--stage", "4", "--bridge-id", "8"];
  const { root, total } = await folder.ok(snapshot);
  await l1.submit(8n, 4n, root as string, BigInt(total as string), 1n);
  expect(await folder.ok([...snapshot, "--out", "old.json"])).toMatchObject({
    l1: { status: "matches", version: "1" },
  });
  expect(await folder.ok(["verify-proof", "old.json"])).toMatchObject({ l1: { status: "matches", version: "1" } });
  await l1.govern("deregister", u64(8n));
  const gone = await folder.cli(["verify-proof", "old.json", "--json"]);
  expect(gone.json()).toMatchObject({ l1: { status: "matches", version: "1" } });
  expect(gone.stderr).toMatch(/^warning .*\bbridge 8\b/m);
});

test("a bridge below VIP's minimum, and the proposal that failed for it", async () => {
  const contract = await folder.deploy(8);
  const parameters = [1_209_600n, 26n, 86_400n].map(u64);
  await setStage(l1, 7n);
  await l1.register(12n, contract, 2n);
  await l1.call("set_parameters", ...parameters, u64(2n ** 64n - 1n));
  await expect(l1.register(13n, contract, 2n)).rejects.toThrow("852002");
  const poor = await examine(["--bridge-id", "12"]);
  const failed = await examine(["--bridge-id", "13"]);
  await l1.call("set_parameters", ...parameters, u64(0n));
  expect(poor).toMatchObject({ status: 3, states: { rewards: "action" } });
  expect(failed).toMatchObject({ states: { registration: "warning", proposals: "warning" } });
  expect(failed.texts["proposals"]).toMatch(/\bregister\b.*\b852002\b.*\bless than VIP's minimum\b/);
  await l1.call("advance_stage");
  const funded = await examine(["--bridge-id", "12"]);
  expect(funded).toMatchObject({ status: 0 });
  expect(funded.texts["rewards"]).toMatch(/\bstage 8$/);
});

test("another rollup's bridge that names the same address: only the named or the rollup's own bridge counts", async () => {
  const bridge = { id: 9n, address: addresses.operator };
  await using rollup = await openTestFolder(await startVipnode({ vm: "move", bridge }), l1.endpoint);
  const contract = await rollup.deploy(2);
  await setStage(l1, 1n);
  await l1.register(9n, contract, 0n);
  await setStage(l1, 5n);
  await l1.register(10n, contract, 0n);
  const own = await examine([], {}, rollup);
  expect(own.texts["registration"]).toMatch(/\bbridge 9\b/);
  expect(own).toMatchObject({ status: 3, states: { "first-stage": "ok", "open-stage": "action" } });
  expect(own.texts["open-stage"]).toContain("vipscore finalize --stage 2 --file scores.csv");
  const other = await examine(["--bridge-id", "10"], {}, rollup);
  expect(other).toMatchObject({ status: 3, states: { registration: "action", "open-stage": "warning" } });
  expect(other.texts["open-stage"]).not.toContain("vipscore");
  expect(other.texts["registration"]).toContain("[BRIDGE_MISMATCH]");
  // Without --bridge-id, the bridge of the snapshot is the rollup's own too.
  expect(await rollup.ok(["snapshot", "--stage", "2"])).toMatchObject({ bridgeId: "9" });
  for (const command of ["snapshot", "report"]) {
    const named = await rollup.cli([command, "--stage", "2", "--bridge-id", "10", "--json"]);
    expect(named.json()["error"]).toMatchObject({ code: "BRIDGE_MISMATCH" });
  }
});

test("an L1 that is not the rollup's: nothing is advised by it", async () => {
  const bridge = { id: 9n, address: addresses.operator, l1ChainId: "another-l1" };
  await using rollup = await openTestFolder(await startVipnode({ vm: "move", bridge }), l1.endpoint);
  await rollup.deploy(2);
  await setStage(l1, 5n);
  const found = await examine([], {}, rollup);
  expect(found).toMatchObject({ status: 3, states: { registration: "action", "open-stage": "warning" } });
  expect(found.texts["registration"]).toContain("[CHAIN_MISMATCH]");
  expect(found.texts["open-stage"]).not.toContain("vipscore");
  const snapshot = await rollup.cli(["snapshot", "--stage", "2", "--json"]);
  expect(snapshot.json()["error"]).toMatchObject({ code: "CHAIN_MISMATCH" });
});

test("an error of L1 about the registration: the other checks refer to it, not to a bridge that is named", async () => {
  const contract = await folder.deploy(2);
  await setStage(l1, 1n);
  await l1.register(15n, contract, 2n);
  await setStage(l1, 5n);
  // The first read of a table is that of the bridges.
  const proxy = await script((request) =>
    request.path.includes("/tables/")
      ? { status: 500, body: { code: 13, message: "broken", details: [] } }
      : passOn(l1.endpoint.restUrl, request),
  );
  const env = { L1_REST_URL: proxy.url, VIP_ADDRESS: l1.endpoint.vipAddress };
  const { states, texts } = await examine(["--bridge-id", "15"], { env });
  expect(states).toMatchObject({ registration: "action", "first-stage": "skipped", "open-stage": "warning" });
  for (const check of ["first-stage", "open-stage"]) {
    expect(texts[check]).toMatch(/\bregistration\b/);
    expect(texts[check]).not.toMatch(/\bbridge\b/);
  }
});

test("L1 is read at one block, which is asked for once", async () => {
  const contract = await folder.deploy(8);
  await setStage(l1, 7n);
  await l1.register(14n, contract, 2n);
  const proxy = await script((request) => passOn(l1.endpoint.restUrl, request));
  const env = { L1_REST_URL: proxy.url, VIP_ADDRESS: l1.endpoint.vipAddress };
  expect(await examine(["--bridge-id", "14"], { env })).toMatchObject({ status: 0, states: { registration: "ok" } });
  const [first, ...others] = proxy.requests;
  expect(first?.path).toMatch(/\/blocks\/latest$/);
  const heights = new Set(others.map(({ headers }) => headers["x-cosmos-block-height"]));
  expect([...heights]).toEqual([expect.stringMatching(/^[1-9]\d*$/)]);
  expect(others.filter(({ path }) => path.includes("/blocks/"))).toEqual([]);
});

test("the hint for the node's version works beside VIPSCORE_ENDPOINT", async () => {
  const env = { VIPSCORE_ENDPOINT: folder.node.rpcUrl, RPC_NODE_URL: "" };
  const without = await examine([], { env });
  expect(without.texts["versions"]).toContain("vipscore version --endpoint");
  const versions = await examine(["--vm", "evm"], { env: { ...env, RPC_NODE_URL: l1.rpcUrl } });
  expect(versions).toMatchObject({ states: { versions: "ok" } });
});

test("a rollup that is not local: whether a second endpoint is set", async () => {
  const contract = await folder.deploy(2);
  const args = ["--vm", "evm", "--endpoint", folder.node.rpcUrl, "--contract", contract];
  const one = await examine(args, { cwd: "/" });
  expect(one).toMatchObject({ status: 0, states: { "second-endpoint": "skipped" } });
  expect(one.texts["second-endpoint"]).toContain("VIPSCORE_SECOND_ENDPOINT");
  const two = await examine(args, { cwd: "/", env: { VIPSCORE_SECOND_ENDPOINT: "http://127.0.0.1:9" } });
  expect(two.states).not.toHaveProperty("second-endpoint");
});

test("a key that is not a member's", async () => {
  const stranger = { env: { PRIVATE_KEY: `0x${"11".repeat(32)}` } };
  const refused = await examine([], stranger);
  expect(refused).toMatchObject({ status: 3, states: { signer: "action" } });
  expect(refused.texts["signer"]).toContain("vipscore members add 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A");
});

test("an L1 that does not answer is a finding, and the other checks still run", async () => {
  const { status, states, texts } = await examine([], {
    env: { L1_REST_URL: "http://127.0.0.1:9", VIP_ADDRESS: "0x1" },
  });
  expect({ status, l1: states["l1"], contract: states["contract"] }).toEqual({
    status: 3,
    l1: "action",
    contract: "ok",
  });
  expect(texts["l1"]).toContain("[NODE_UNREACHABLE]");
});
