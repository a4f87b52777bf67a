import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bcs } from "@initia/initia.js";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { parseManifest } from "@vipscore/core/manifest";
import { serveJsonRpc } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { finding, findingsOf } from "./auditFindings.ts";
import { alice, bob, Collectors, exchanged } from "./collectors.ts";
import { runCli, startTestChain, type CliResult, type JsonObject } from "./harness.ts";
import { setStage, startL1 } from "./localL1.ts";

const bridgeId = 7n;
const l1 = started(() => startL1());
const chain = started(() => startTestChain({}, l1.endpoint));
/** Unix time at which L1's stage 12 starts. */
let start: number;
let root: string;
/** An auditor's folder, without settings. */
const elsewhere = temporaryFolder();

beforeAll(async () => {
  const contract = await chain.deploy(12);
  await setStage(l1, 11n);
  await l1.register(bridgeId, contract, 2n);
  const collectors = await Collectors.deploy(chain);
  const { timestamp } = (await chain.rpc("eth_getBlockByNumber", ["latest", false])) as { readonly timestamp: string };
  start = Number(timestamp) + 1000;
  const mintAt = async (time: number, ...owners: readonly string[]): Promise<void> => {
    await chain.rpc("evm_setNextBlockTimestamp", [time]);
    await collectors.mint(...owners);
  };
  await mintAt(start - 1, bob);
  await mintAt(start, alice);
  await mintAt(start + 19, bob);
  await mintAt(start + 20, alice);
  await setTimes(start, start + 20);
  await collectors.writePolicy(join(chain.cwd, "policy"), "");
  await chain.ok(["score", "run", "policy", "--stage", "12", "--out", "scores12.csv"]);
  const manifest = ["--stage", "12", "--manifest", "scores12.manifest.json"];
  await chain.ok(["push", "scores12.csv", ...manifest]);
  await l1.call("advance_stage");
  await chain.ok(["finalize", "--file", "scores12.csv", ...manifest, "--yes"]);
  ({ root } = (await chain.ok(["snapshot", ...manifest])) as { readonly root: string } & JsonObject);
});

/** Makes stage 12 the current one, with other times. */
function setTimes(from: number, to: number): Promise<void> {
  const [stage, startsAt, endsAt] = [12n, BigInt(from), BigInt(to)].map((value) => bcs.u64().serialize(value));
  if (stage === undefined || startsAt === undefined || endsAt === undefined) throw new Error("three numbers");
  return l1.call("set_stage", stage, startsAt, endsAt);
}

function audit(withL1: boolean, more: readonly string[] = []): Promise<CliResult> {
  const [manifest, policy] = [join(chain.cwd, "scores12.manifest.json"), join(chain.cwd, "policy")];
  const { restUrl, vipAddress } = l1.endpoint;
  const ofL1 = withL1 ? ["--l1-rest-url", restUrl, "--vip-address", vipAddress] : [];
  return runCli(
    ["audit", manifest, "--policy", policy, "--endpoint", chain.node.rpcUrl, "--json", ...ofL1, ...more],
    elsewhere,
  );
}

test("the window is that of the stage on L1", async () => {
  const manifest = parseManifest(await readFile(join(chain.cwd, "scores12.manifest.json"), "utf8"), "m.json");
  expect(manifest).toMatchObject({
    rollup: { vm: "evm" },
    window: { first: { time: start }, last: { time: start + 19 }, from: "l1" },
    scores: { accounts: 2, total: 205n },
    chain: { snapshot: { root, bridgeId } },
  });
});

test("before L1 has the snapshot, and with it", async () => {
  const early = await audit(true);
  expect({ json: early.json(), text: early.stderr }).toMatchObject({ json: { reproduced: true } });
  expect(findingsOf(early.json())).toEqual(
    expect.arrayContaining([finding("window", "same"), finding("L1", "not checked", "stage 12")]),
  );
  await l1.submit(bridgeId, 12n, root, 205n);
  const result = await audit(true);
  expect(result.json()).toMatchObject({ reproduced: true });
  expect(findingsOf(result.json())).toContainEqual(finding("L1", "same", "stage 12"));
});

test("a second endpoint must show the same scores", async () => {
  let change = (result: unknown): unknown => result;
  const proxy = await serveJsonRpc(async (method, params) => {
    const result = await chain.rpc(method, params);
    return method === "eth_call" ? change(result) : result;
  }, 0);
  onTestFinished(() => proxy.close());
  const second = ["--second-endpoint", proxy.url];
  expect(findingsOf((await audit(true, second)).json())).toContainEqual(finding("second", "same"));
  change = (result) => exchanged(result, alice, bob);
  expect((await audit(true, second)).json()).toMatchObject({ differences: ["the second endpoint"] });
});

test("without L1, over the manifest's blocks", async () => {
  const result = await audit(false);
  expect(result.json()).toMatchObject({ reproduced: true });
  expect(findingsOf(result.json())).toEqual(
    expect.arrayContaining([
      finding("window", "not checked", "--l1-rest-url"),
      finding("window", "same"),
      finding("L1", "not checked", "--l1-rest-url"),
    ]),
  );
});

test("another snapshot on L1", async () => {
  await l1.challenge(bridgeId, 12n, "ab".repeat(32), 205n);
  const result = await audit(true);
  expect(result.json()).toMatchObject({ differences: ["L1's snapshot"], error: { code: "AUDIT_DIFFERS" } });
});

test("other times of the stage on L1", async () => {
  await setTimes(start - 1, start + 20);
  const result = await audit(true);
  const found = result.json()["differences"];
  expect(found).toEqual(expect.arrayContaining(["the window", "source mints", "the scores"]));
});
