import { execSync } from "node:child_process";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readScores } from "@vipscore/core";
import { formatManifest, parseManifest, type ScoresManifest } from "@vipscore/core/manifest";
import { serveJsonRpc, testAccounts, type LoopbackServer } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { finding, findingsOf, textOf } from "./auditFindings.ts";
import { alice, bob, carol, Collectors, dave } from "./collectors.ts";
import { runCli, startTestChain, type CliResult, type JsonObject } from "./harness.ts";

const chain = started(() => startTestChain());
/** Heights of the first and the last block with a mint. */
let first: number;
let last: number;
/** Passes calls on to the chain; may change an answer. */
let proxy: LoopbackServer;
let change: (method: string, result: unknown) => unknown = (_, result) => result;
/** Folder of an operator's published files, and folder of an auditor's copy of them. */
const published = temporaryFolder();
let copy: string;

beforeAll(async () => {
  await chain.deploy(12);
  const collectors = await Collectors.deploy(chain);
  first = await collectors.mint(alice, bob);
  await collectors.mint(carol);
  last = await collectors.mint(alice);
  await collectors.mint(bob);
  proxy = await serveJsonRpc(async (method, params) => change(method, await chain.rpc(method, params)), 0);
  await collectors.writePolicy(join(published, "policy"), `window.blocks = [${first}, ${last}]`);
  const options = ["--stage", "12", "--manifest", join(published, "scores12.manifest.json")];
  const file = join(published, "scores12.csv");
  await chain.ok(["score", "run", join(published, "policy"), "--stage", "12", "--out", file]);
  await chain.ok(["push", file, ...options]);
  await chain.ok(["finalize", "--file", file, ...options, "--yes"]);
  await chain.ok(["snapshot", "--bridge-id", "7", ...options]);
});
beforeEach(async () => {
  copy = temporaryFolder();
  await cp(published, copy, { recursive: true });
});
afterEach(async () => {
  change = (_, result) => result;
});
afterAll(() => proxy.close());

/** Audits the copy from its folder, without a key. */
const audit = (more: readonly string[] = [], manifest = "scores12.manifest.json"): Promise<CliResult> =>
  runCli(["audit", manifest, "--policy", "policy", "--endpoint", chain.node.rpcUrl, "--json", ...more], copy);

/** Audits the copy, which must differ. */
async function differences(manifest?: string): Promise<JsonObject & { readonly text: string }> {
  const before = await readdir(copy, { recursive: true });
  const result = await audit(["--run-anyway"], manifest);
  expect({ status: result.status, text: result.stderr }).toMatchObject({ status: 3 });
  expect(result.json()).toMatchObject({ error: { code: "AUDIT_DIFFERS" }, reproduced: false });
  expect(await readdir(copy, { recursive: true })).toEqual(before);
  return { ...result.json(), text: result.stderr };
}

async function replace(file: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(join(copy, file), "utf8");
  expect(text.replace(from, to)).not.toBe(text);
  await writeFile(join(copy, file), text.replace(from, to));
}

async function edit(changed: (manifest: ScoresManifest) => Partial<ScoresManifest>): Promise<void> {
  const path = join(copy, "scores12.manifest.json");
  const manifest = parseManifest(await readFile(path, "utf8"), path);
  await writeFile(path, formatManifest({ ...manifest, ...changed(manifest) }));
}

test.each(["ln -s secret.txt", "mkfifo"])("a score file of %s is not read", async (command) => {
  await writeFile(join(copy, "secret.txt"), "a line of a secret\n");
  execSync(`rm scores12.csv && ${command} scores12.csv`, { cwd: copy });
  expect((await differences()).text).toMatch(/^(?!.*a line).*\bscores12\.csv\b/s);
});

test("anyone can reproduce the scores, and nothing is left behind", async () => {
  const before = await readdir(copy, { recursive: true });
  const result = await audit();
  expect({ status: result.status, stderr: result.stderr }).toMatchObject({ status: 0 });
  expect(findingsOf(result.json()).map(({ subject, status }) => `${subject}: ${status}`)).toEqual([
    "signature: not checked",
    "policy: same",
    "file: same",
    "chain: same",
    "window: same",
    "source: same",
    "source: same",
    "scores: same",
    "versions: same",
    "contract: same",
    "finalized: same",
    "root: same",
    "L1: not checked",
  ]);
  expect(result.json()).toMatchObject({
    command: "audit",
    stage: "12",
    reproduced: true,
    differences: [],
    accounts: { differ: 0, first: [] },
  });
  expect(await readdir(copy, { recursive: true })).toEqual(before);
  const shown = await runCli(
    ["audit", "scores12.manifest.json", "--policy", "policy", "--endpoint", chain.node.rpcUrl],
    copy,
  );
  expect(shown.stdout).toMatch(/^source {5}same {9}.*\bmints\b.*\bevm_events\b.*\b4 rows\b.*\b3\b.*\b3 blocks\b/m);
  expect(shown.stdout).toMatch(/\b12\b.*\b2 accounts\b.*\b305\b.*\b[0-9a-f]{4}…[0-9a-f]{2}\n$/);
});

test("a tampered CSV: the account, both scores and the difference", async () => {
  await replace("scores12.csv", /,200$/m, ",250");
  const found = await differences();
  expect(found["differences"]).toEqual(["scores12.csv"]);
  expect(found["accounts"]).toEqual({
    differ: 1,
    first: [{ address: expect.stringMatching(new RegExp(alice, "i")) as string, file: "250", recomputed: "200" }],
  });
  expect(found.text).toMatch(/^ {2}0x\w+ {2}250\b.*\b200\b.*\+50\b/m);
  await writeFile(join(copy, "scores12.csv"), "address,score\nnobody,1\n");
  expect((await differences())["differences"]).toEqual(["scores12.csv"]);
});

test("a CSV with other scores, and a manifest that names them", async () => {
  await replace("scores12.csv", /,105$/m, ",905");
  const table = await readScores(join(copy, "scores12.csv"), { accountBytes: [20] });
  await edit(({ scores }) => ({ scores: { ...scores, total: table.total, sha256: table.digest() } }));
  const found = await differences();
  expect(found["differences"]).toEqual(["the scores"]);
  expect(found["accounts"]).toMatchObject({ differ: 1, first: [{ file: "905", recomputed: "105" }] });
});

describe("a changed policy is named by its files, and by what it changes:", () => {
  const all = ["the scores", "the contract", "the root"];
  test.each([
    ["the query", "policy.sql", "100", "101", ["policy.sql", ...all]],
    ["a comment", "policy.sql", "select", "-- by hand\nselect", ["policy.sql"]],
    [
      "the exclusions",
      "exclude.csv",
      carol,
      dave,
      ["exclude.csv", "the scores", "the exclusions", "the contract", "the root"],
    ],
    ["a reference", "bonus.csv", ",5", ",6", ["bonus.csv", "source bonus", ...all]],
    ["the kind of rows", "bonus.csv", ",5", ",many", ["bonus.csv", "the scores"]],
    ["a query that cannot run", "policy.sql", "from mints", "from nowhere", ["policy.sql", "the scores"]],
    ["a field that nobody knows", "policy.toml", "version", "color", ["policy.toml", "the policy"]],
  ])("%s", async (_, file, from, to, expected) => {
    await replace(`policy/${file}`, from, to);
    const found = await differences();
    expect(found["differences"]).toEqual(expected);
    // Both versions of the file have a size.
    expect(textOf(found, file)).toMatch(/\b\d+ bytes\b.*\b\d+ bytes\b/);
  });

  test("and its query is not run without --run-anyway", async () => {
    await replace("policy/policy.sql", "100", "101");
    const result = await audit();
    expect(result.status).toBe(3);
    const report = result.json();
    expect(report["differences"]).toEqual(["policy.sql"]);
    expect(findingsOf(report)).toContainEqual(finding("scores", "not checked", "--run-anyway"));
    expect(findingsOf(report)).not.toContainEqual(expect.objectContaining({ subject: "source" }));
  });

  test("another window", async () => {
    await replace("policy/policy.toml", `, ${last}]`, `, ${last + 1}]`);
    const found = await differences();
    expect(found["differences"]).toEqual(["policy.toml", "the window", "source mints", ...all]);
    expect(textOf(found, "the window")).toMatch(new RegExp(`\\b${last}\\b.*\\b${last + 1}\\b`));
    expect(textOf(found, "source mints")).toMatch(/\b4 rows\b.*\b5 rows\b/);
  });

  test("another chain", async () => {
    await replace("policy/policy.toml", /chain_id = "\d+"/, 'chain_id = "7"');
    expect((await differences())["differences"]).toEqual(["policy.toml", "the chain ID", "the scores"]);
  });

  test("a file that is missing, and one that was added", async () => {
    await rm(join(copy, "policy/exclude.csv"));
    await replace("policy/policy.toml", "exclude.csv", "team.csv");
    await writeFile(join(copy, "policy/team.csv"), `address\n${carol}\n`);
    const found = await differences();
    expect(found["differences"]).toEqual(["exclude.csv", "policy.toml", "team.csv"]);
    expect(textOf(found, "policy.toml")).toContain("bytes");
    for (const name of ["exclude.csv", "team.csv"]) {
      expect(textOf(found, name)).toContain(name);
      // There are no two versions of the file to compare.
      expect(textOf(found, name)).not.toContain("bytes");
    }
  });

  test("a folder that is not there is an error", async () => {
    const result = await audit(["--policy", "absent"]);
    expect(result.json()).toMatchObject({ error: { code: "FILE_UNREADABLE" } });
  });
});

test("one event more than the operator's node showed", async () => {
  // Hides the first log of each answer.
  change = (method, result) => (method === "eth_getLogs" ? (result as readonly unknown[]).slice(1) : result);
  const run = ["score", "run", "policy", "--stage", "12", "--out", "hidden.csv", "--endpoint", proxy.url];
  expect((await runCli(run, copy)).status).toBe(0);
  await rm(join(copy, ".vipscore"), { recursive: true });
  const found = await differences("hidden.manifest.json");
  expect(found["differences"]).toEqual(["source mints", "the scores"]);
  expect(found["accounts"]).toMatchObject({ differ: 1 });
  expect(textOf(found, "source mints")).toMatch(/\b3 rows\b.*\b4 rows\b/);
});

describe("a manifest that is not true:", () => {
  const zero = "0".repeat(64);
  test.each<[string, (manifest: ScoresManifest) => Partial<ScoresManifest>, readonly string[]]>([
    [
      "the hash of a block",
      ({ window }) => ({ window: window && { ...window, last: { ...window.last, hash: `0x${zero}` } } }),
      ["the window"],
    ],
    [
      "a block that does not exist",
      ({ window }) => ({ window: window && { ...window, last: { ...window.last, height: 10 ** 9 } } }),
      ["the window"],
    ],
    ["no window", () => ({ window: undefined }), ["the window"]],
    ["another chain", ({ rollup }) => ({ rollup: { ...rollup, chainId: "7" } }), ["the chain ID", "the contract"]],
    ["another VM", ({ rollup }) => ({ rollup: { ...rollup, vm: "wasm" } }), ["the rollup"]],
    [
      "the rows of a source",
      ({ sources }) => ({ sources: sources.map((source) => ({ ...source, rows: 1 })) }),
      ["source mints"],
    ],
    ["no sources", () => ({ sources: [] }), ["source mints", "source bonus"]],
    ["the number of accounts", ({ scores }) => ({ scores: { ...scores, accounts: 3 } }), ["the scores"]],
    ["the exclusions", () => ({ excluded: 0 }), ["the exclusions"]],
    [
      "another contract",
      ({ chain: c }) => ({ chain: c && { ...c, contract: { ...c.contract, address: alice } } }),
      ["the contract"],
    ],
    ["the root", ({ chain: c }) => ({ chain: c && { ...c, snapshot: { root: zero, bridgeId: 7n } } }), ["the root"]],
  ])("%s", async (_, edited, expected) => {
    await edit(edited);
    expect((await differences())["differences"]).toEqual(expected);
  });
});

test("another version of DuckDB, a missing CSV and a manifest before its push are not differences", async () => {
  await edit(({ versions }) => ({ versions: { ...versions, duckdb: "v1.0.0" }, chain: undefined }));
  await rm(join(copy, "scores12.csv"));
  const result = await audit();
  expect(result.json()).toMatchObject({ reproduced: true });
  expect(findingsOf(result.json())).toEqual(
    expect.arrayContaining([
      finding("versions", "warning", "v1.0.0"),
      finding("file", "not checked", "scores12.csv"),
      finding("contract", "not checked"),
    ]),
  );
});

describe("a signed manifest", () => {
  const { address, mnemonic } = testAccounts.operator;
  const run = (env: Readonly<Record<string, string>>): Promise<CliResult> =>
    runCli(
      ["score", "run", "policy", "--stage", "12", "--out", "signed.csv", "--sign", "--json", "--endpoint", proxy.url],
      copy,
      { env },
    );

  test("shows who signed it, also after a push", async () => {
    expect((await run({ MNEMONIC: mnemonic })).json()).toMatchObject({ signer: address });
    await rm(join(copy, ".vipscore"), { recursive: true });
    const manifest = ["--manifest", join(copy, "signed.manifest.json")];
    await chain.ok(["snapshot", "--stage", "12", "--bridge-id", "7", ...manifest]);
    const result = await audit([], "signed.manifest.json");
    expect(result.json()).toMatchObject({ reproduced: true });
    expect(findingsOf(result.json())).toContainEqual(finding("signature", "same", address));
  });

  test("differs after any other change", async () => {
    await run({ MNEMONIC: mnemonic });
    await rm(join(copy, ".vipscore"), { recursive: true });
    await replace("signed.manifest.json", /"vipscore": ".*"/, '"vipscore": "9.9.9"');
    expect((await differences("signed.manifest.json"))["differences"]).toEqual(["the signature"]);
    await replace("signed.manifest.json", /"eip191": "0x../, '"eip191": "0x00');
    expect((await differences("signed.manifest.json"))["differences"]).toEqual(["the signature"]);
  });

  test("needs a key", async () => {
    const before = await readdir(copy, { recursive: true });
    expect((await run({})).json()).toMatchObject({ error: { code: "KEY_INVALID" } });
    expect(await readdir(copy, { recursive: true })).toEqual(before);
  });
});

test("scores that the contract no longer holds, and a stage that is still open", async () => {
  const next = await chain.ok([
    "score",
    "run",
    join(published, "policy"),
    "--stage",
    "13",
    "--out",
    join(copy, "s13.csv"),
  ]);
  expect(next["accounts"]).toBe(2);
  await chain.ok(["push", join(copy, "s13.csv"), "--stage", "13", "--manifest", join(copy, "s13.manifest.json")]);
  const open = await audit([], "s13.manifest.json");
  expect(open.json()).toMatchObject({ reproduced: true });
  expect(findingsOf(open.json())).toContainEqual(finding("finalized", "warning", "stage 13"));
  await chain.write("other.csv", `address,score\n${alice},200\n${bob},106\n`);
  await chain.ok(["push", "other.csv", "--stage", "13"]);
  const found = await differences("s13.manifest.json");
  expect(found["differences"]).toEqual(["the contract"]);
  expect(found.text).toMatch(new RegExp(`^ {2}${bob} {2}106\\b.*\\b105$`, "im"));
});
