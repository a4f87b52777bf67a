import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHardhat, startVipnode, type LocalNode } from "@vipscore/localnet";
import { naiveRoot } from "@vipscore/testkit/naiveTree";
import { started } from "@vipscore/testkit/started";
import { startCli } from "./childCli.ts";
import { addressOf, csvOf, openTestFolder, runCli, type JsonObject, type TestFolder } from "./harness.ts";
import { setStage, startL1 } from "./localL1.ts";

const l1 = started(() => startL1());

const stage = ["--stage", "2"];
const changed = (root: string): string => (root.startsWith("0") ? "1" : "0") + root.slice(1);

interface LeafJson {
  readonly address: string;
  readonly score: string;
  readonly proof: readonly string[];
}
interface ProofsJson {
  readonly bridgeId: string;
  readonly stage: string;
  readonly l1: object | null;
  readonly root: string;
  readonly total: string;
  readonly leaves: readonly LeafJson[];
}

describe.each([
  ["evm", 2n, 7n, (): Promise<LocalNode> => startHardhat()],
  ["move", 0n, 8n, (): Promise<LocalNode> => startVipnode({ vm: "move" })],
  ["wasm", 1n, 300n, (): Promise<LocalNode> => startVipnode({ vm: "wasm" })],
] as const)("%s", (_, vmType, bridgeId, startRollup) => {
  let folder: TestFolder;
  let contract: string;
  beforeAll(async () => {
    await setStage(l1, 1n);
    folder = await openTestFolder(await startRollup(), l1.endpoint);
    contract = await folder.deploy(2);
    // One account of score 0, and a total beyond 2^53.
    await folder.write("scores.csv", `${csvOf(12, 2 ** 50)}${addressOf(9)},0\n`);
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  /** Computes as VIP's agent does, by the second implementation and from the scores on the rollup. */
  async function readAsAgent(): Promise<{ readonly root: string; readonly total: bigint }> {
    const { scores, total } = await folder.ok(["export", ...stage]);
    const rows = (scores as unknown as readonly LeafJson[]).map(({ address, score }) => ({
      account: address,
      score: BigInt(score),
    }));
    return { root: naiveRoot({ bridgeId, stage: 2n, rows }) ?? "", total: BigInt(total as string) };
  }

  const l1Of = (result: JsonObject): JsonObject => result["l1"] as JsonObject;

  test("before the stage is final, L1 has nothing", async () => {
    await setStage(l1, 2n);
    await folder.ok(["push", "scores.csv", ...stage]);
    const unknown = await folder.cli(["snapshot", ...stage, "--json"]);
    expect(unknown.json()["error"]).toMatchObject({ code: "BRIDGE_NOT_REGISTERED", exit: 3 });
    await setStage(l1, 1n);
    await l1.register(bridgeId, contract, vmType);
    await setStage(l1, 2n);
    const open = await folder.cli(["snapshot", ...stage]);
    expect(open.status).toBe(0);
    expect(open.stdout).toMatch(/^stage 2 .*\b12 accounts\b.*\nroot {5}[0-9a-f]{64}\nL1 {7}.*\bstage 2$/m);
    expect(open.stderr).toMatch(/^warning .*\bstage 2\b/m);
    expect(open.stderr).toMatch(/^warning .*2\^53/m);
    await setStage(l1, 3n);
    await folder.ok(["finalize", ...stage, "--file", "scores.csv", "--yes"]);
    const final = await folder.ok(["snapshot", ...stage]);
    expect(final).toMatchObject({ isFinalized: true, l1: { status: "notThereYet", snapshot: null, version: "1" } });
  });

  test("the agent's snapshot matches", async () => {
    const { root, total } = await readAsAgent();
    await l1.submit(bridgeId, 2n, root, total);
    const found = await folder.ok(["snapshot", ...stage]);
    expect(found).toMatchObject({ bridgeId: `${bridgeId}`, root, total: `${total}`, accounts: 12, file: null });
    expect(l1Of(found)).toMatchObject({
      status: "matches",
      chainId: l1.chainId,
      snapshot: { root, total: `${total}` },
    });
    expect((await folder.cli(["snapshot", ...stage])).stdout).toMatch(/^L1 {7}matches\b/m);
  });

  test("every proof is written, and verified against L1", async () => {
    expect(await folder.ok(["snapshot", ...stage, "--out", "all.json"])).toMatchObject({ file: "all.json" });
    const file = JSON.parse(await readFile(join(folder.cwd, "all.json"), "utf8")) as ProofsJson;
    expect(file).toMatchObject({ bridgeId: `${bridgeId}`, stage: "2", leaves: { length: 12 } });
    const target = { chainId: l1.chainId, vipAddress: l1.endpoint.vipAddress, version: "1" };
    expect(file.l1).toEqual(target);
    expect(await folder.ok(["verify-proof", "all.json"])).toMatchObject({
      proofs: 12,
      l1: { ...target, status: "matches" },
    });
    // Where to claim is checked too: another version would fail on L1.
    for (const wrong of [{ version: "2" }, { chainId: "another-1" }, { vipAddress: `0x${"1".repeat(64)}` }]) {
      await folder.write("other.json", JSON.stringify({ ...file, l1: { ...target, ...wrong } }));
      const other = await folder.cli(["verify-proof", "other.json", "--json"]);
      expect(other.json()["error"]).toMatchObject({ code: "PROOF_INVALID" });
    }
    await folder.write("other.json", JSON.stringify({ ...file, l1: null }));
    expect(await folder.ok(["verify-proof", "other.json"])).toMatchObject({ l1: { status: "matches" } });
    const again = await folder.cli(["snapshot", ...stage, "--out", "all.json", "--json"]);
    expect(again.json()["error"]).toMatchObject({ code: "FILE_UNWRITABLE" });
  });

  test("another root or another total differs", async () => {
    const { root, total } = await readAsAgent();
    for (const [submittedRoot, submittedTotal] of [
      [changed(root), total],
      [root, total + 1n],
    ] as const) {
      await l1.challenge(bridgeId, 2n, submittedRoot, submittedTotal);
      const differs = await folder.cli(["snapshot", ...stage, "--json"]);
      expect(differs.status).toBe(3);
      const error = differs.json()["error"] as JsonObject;
      expect(error).toMatchObject({ code: "SNAPSHOT_DIFFERS", exit: 3 });
      expect((error["hints"] as readonly string[])[0]).toContain(submittedRoot);
      const proofs = await folder.cli(["verify-proof", "all.json", "--json"]);
      expect(proofs.json()["error"]).toMatchObject({ code: "SNAPSHOT_DIFFERS" });
    }
    await l1.challenge(bridgeId, 2n, root, total);
  });
});

describe("on one rollup", () => {
  const folder = started(async () => openTestFolder(await startHardhat()));
  beforeAll(async () => {
    await folder.deploy(2);
    await folder.write("scores.csv", `${csvOf(5)}${addressOf(9)},0\n`);
    await folder.ok(["push", "scores.csv", ...stage]);
  });

  const named = ["snapshot", ...stage, "--bridge-id", "7"];
  const account = addressOf(0xabc001);
  const codeOf = async (args: readonly string[], env = {}): Promise<unknown> =>
    ((await folder.cli([...args, "--json"], { env })).json()["error"] as JsonObject)["code"];

  test("without L1 the bridge is named, and nothing is compared", async () => {
    expect(await codeOf(["snapshot", ...stage])).toBe("CONFIG_INVALID");
    const found = await folder.cli([...named, "--json"]);
    expect(found.json()).toMatchObject({ bridgeId: "7", l1: null, accounts: 5 });
    expect(found.stderr).toMatch(/^warning .*--l1-rest-url\b/m);
  });

  test("--proof names accounts, in any spelling; --json and stdout have the same", async () => {
    const found = await folder.ok([...named, "--proof", account, account.toUpperCase().replace("0X", "0x")]);
    const leaves = found["leaves"] as unknown as readonly LeafJson[];
    expect(leaves).toHaveLength(2);
    expect(leaves[0]).toMatchObject({ address: account, score: "1001" });
    const { stdout, stderr } = await folder.cli([...named, "--proof", account]);
    expect(JSON.parse(stdout)).toMatchObject({ root: found["root"], leaves: [leaves[0]] });
    expect(stderr).toContain(`root     ${found["root"] as string}`);
    await folder.ok([...named, "--proof", account, "--out", "one.json"]);
    expect(await readFile(join(folder.cwd, "one.json"), "utf8")).toBe(stdout);
    expect(await codeOf([...named, "--proof", addressOf(9)])).toBe("INPUT_INVALID");
    expect(await codeOf([...named, "--proof", "0x12"])).toBe("INPUT_INVALID");
  });

  test.each(["x", "-1", "18446744073709551616", "1.5", ""])("--bridge-id %j", async (id) => {
    expect(await codeOf(["snapshot", ...stage, "--bridge-id", id])).toBe("INPUT_INVALID");
  });

  test("a bridge that is not registered, a contract of two bridges, one of another bridge", async () => {
    // The first contract of every new chain has the same address, which is registered on the other one.
    await using empty = await startL1();
    const env = { L1_REST_URL: empty.endpoint.restUrl, VIP_ADDRESS: empty.endpoint.vipAddress };
    expect(await codeOf(["snapshot", ...stage, "--bridge-id", "4000"], env)).toBe("BRIDGE_NOT_REGISTERED");
    const { contract } = await folder.ok(named);
    const { address } = contract as { readonly address: string };
    await setStage(empty, 3n);
    await empty.register(4001n, address, 2n);
    const early = await folder.cli(["snapshot", ...stage], { env });
    expect(early.stdout).toMatch(/^L1 {7}.*\bbridge 4001\b.*\b4$/m);
    await empty.register(4002n, address.toLowerCase(), 2n);
    const both = await folder.cli(["snapshot", ...stage, "--json"], { env });
    expect(both.json()["error"]).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("4001, 4002") as string,
    });
    expect((await folder.ok(["snapshot", ...stage, "--bridge-id", "4002"], { env }))["bridgeId"]).toBe("4002");
    await empty.register(4003n, addressOf(1), 2n);
    const other = await folder.cli(["snapshot", ...stage, "--bridge-id", "4003"], { env });
    expect(other.stderr).toMatch(new RegExp(`^warning .*\\bbridge 4003\\b.*${addressOf(1)}`, "m"));
  });

  test("verify-proof refuses what does not lead to the root", async () => {
    await folder.ok([...named, "--out", "good.json"]);
    const good = JSON.parse(await readFile(join(folder.cwd, "good.json"), "utf8")) as ProofsJson;
    const [leaf] = good.leaves as readonly [LeafJson];
    const write = (value: object): Promise<string> => folder.write("changed.json", JSON.stringify(value, null, 2));
    await write(good);
    expect(await folder.ok(["verify-proof", "changed.json"])).toMatchObject({ proofs: 5, root: good.root, l1: null });
    const address = ["--address", leaf.address];
    expect(await folder.ok(["verify-proof", "good.json", ...address])).toMatchObject({ proofs: 1 });
    expect(await codeOf(["verify-proof", "good.json", "--address", addressOf(9)])).toBe("INPUT_INVALID");
    const wrong: readonly object[] = [
      { ...good, bridgeId: "8" },
      { ...good, stage: "3" },
      { ...good, total: `${BigInt(good.total) + 1n}` },
      { ...good, root: changed(good.root) },
      ...[
        { ...leaf, score: `${BigInt(leaf.score) + 1n}` },
        { ...leaf, address: addressOf(9) },
        { ...leaf, proof: leaf.proof.slice(1) },
        { ...leaf, proof: leaf.proof.map(changed) },
      ].map((one) => ({ ...good, leaves: [one, ...good.leaves.slice(1)] })),
    ];
    for (const value of wrong) {
      await write(value);
      expect(await codeOf(["verify-proof", "changed.json"]), `changed to ${JSON.stringify(value).slice(0, 400)}`).toBe(
        "PROOF_INVALID",
      );
    }
  });

  test("an account without a score: the file has all scores without proofs, which prove every account", async () => {
    await folder.ok([...named, "--proof", addressOf(9), account, "--out", "scores.json"]);
    const file = JSON.parse(await readFile(join(folder.cwd, "scores.json"), "utf8")) as ProofsJson;
    const [leaf, ...others] = file.leaves as readonly [LeafJson, ...LeafJson[]];
    expect(leaf).toEqual({ address: leaf.address, score: leaf.score });
    expect(await folder.ok(["verify-proof", "scores.json"])).toMatchObject({ proofs: 5, root: file.root });
    expect(await folder.ok(["verify-proof", "scores.json", "--address", account])).toMatchObject({ proofs: 1 });
    const { leaves: proved } = JSON.parse(await readFile(join(folder.cwd, "good.json"), "utf8")) as ProofsJson;
    for (const [code, changes] of [
      ["PROOF_INVALID", { root: changed(file.root) }],
      ["PROOF_INVALID", { bridgeId: "8" }],
      ["PROOF_INVALID", { leaves: [{ ...leaf, address: addressOf(9) }, ...others] }],
      ["INPUT_INVALID", { leaves: others }],
      ["INPUT_INVALID", { leaves: [...others, ...others.slice(0, 1)] }],
      ["INPUT_INVALID", { leaves: [leaf, ...proved.filter(({ address }) => address !== leaf.address)] }],
      ["INPUT_INVALID", { root: null }],
    ] as const) {
      await folder.write("changed.json", JSON.stringify({ ...file, ...changes }));
      for (const only of [[], ["--address", account]]) {
        const found = await codeOf(["verify-proof", "changed.json", ...only]);
        expect({ changes, only, code: found }).toEqual({ changes, only, code });
      }
    }
  });

  test("a file larger than the memory: one leaf at a time", async () => {
    const proof = Array.from({ length: 40 }, (_, index) => index.toString(16).padStart(64, "0"));
    const leaf = (index: number): string => JSON.stringify({ address: addressOf(index), score: "1", proof });
    const head = { bridgeId: "7", stage: "2", l1: null, root: "0".repeat(64), total: "30001" };
    const leaves = Array.from({ length: 30_000 }, (_, index) => leaf(index + 1)).join(",\n");
    const text = `${JSON.stringify(head).slice(0, -1)},"leaves":[${leaves}]}`;
    expect(text.length).toBeGreaterThan(64 * 2 ** 20);
    await folder.write("large.json", text);
    const args = ["verify-proof", "large.json", "--address", addressOf(30_000), "--json"];
    const { output, ended } = startCli(args, folder.cwd, { NODE_OPTIONS: "--max-old-space-size=48" });
    expect({ status: await ended, error: output.stderr }).toMatchObject({ status: 3 });
    expect(JSON.parse(output.stdout)).toMatchObject({ error: { code: "PROOF_INVALID" } });
  });

  test("verify-proof refuses files that are not of proofs", async () => {
    const good = await readFile(join(folder.cwd, "good.json"), "utf8");
    const texts = [
      "",
      "[]",
      "{}",
      "null",
      '{"leaves":[]}',
      good.slice(0, -3),
      good.slice(0, 200),
      `${good}x`,
      good.replace('"leaves":[', '"leaves":[1,'),
      good.replace('"proof":[', '"proof":[1,'),
      good.replace('"score":"', '"score":"-'),
      good.replace('"address":"0x', '"address":"'),
      good.replace('"total":"', '"total":"x'),
      good.replace('"l1":null', '"l1":{"chainId":"l1"}'),
      good.replace('"l1":null,', ""),
      good.replace(/"root":"[^"]*"/, '"root":null'),
      `{"leaves":[{"a":"${"x".repeat(70_000)}"}]}`,
      // Each of these means one thing to one reader and another thing to the next.
      good.replace('"root":', '"root":"00","root":'),
      good.replace('"root":', String.raw`"r\u006fot":"00","root":`),
      good.replace('"leaves":', '"leaves":[],"leaves":'),
      good.replace('"leaves":', String.raw`"le\u0061ves":[],"leaves":`),
      good.replace('"leaves":', String.raw`"x\"leaves":`),
      good.replace(/\}\s*$/, ',"leaves":[]}'),
      good.replace(/\}\s*$/, ',"root":"00"}'),
      good.replace(/\}\s*$/, ',"more":1}'),
      good.replace('"score":', '"score":"0","score":'),
      good.replace('"score":', String.raw`"sc\u006fre":"0","score":`),
      good.replace(/"leaves":\s*\[\s*(\{.*?\})/s, '"leaves":[$1,$1'),
      good.replace(/"root":"[^"]*"/, '"root":null').replace(/"leaves":.*/s, '"leaves":[]}'),
    ];
    for (const [index, text] of texts.entries()) expect(text, `case ${index}`).not.toBe(good);
    for (const text of texts) {
      await folder.write("bad.json", text);
      const result = await folder.cli(["verify-proof", "bad.json", "--json"]);
      expect(result.json()["error"], `${text.slice(0, 300)}…`).toMatchObject({ code: "INPUT_INVALID" });
    }
    expect(await codeOf(["verify-proof", "absent.json"])).toBe("FILE_UNREADABLE");
  });
});

test("verify-proof needs no rollup", async () => {
  const result = await runCli(["verify-proof", "absent.json", "--json"], "/tmp");
  expect(result.json()["error"]).toMatchObject({ code: "FILE_UNREADABLE", exit: 2 });
});
