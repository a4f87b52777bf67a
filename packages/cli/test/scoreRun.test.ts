import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { readScores, ScoreTable } from "@vipscore/core";
import { parseManifest } from "@vipscore/core/manifest";
import { writeScores } from "@vipscore/policy";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { addressOf, codeOf, runCli, type CliOptions, type JsonObject } from "./harness.ts";
import { tradesSource, writePolicyFolder } from "./tradesPolicy.ts";

const u64Max = 2n ** 64n - 1n;
const [one, two, three] = [addressOf(1), addressOf(2), addressOf(3)];
const toml = `name = "season 1"
version = "2"
exclude = "exclude.csv"
${tradesSource}`;

let cwd: string;

beforeEach(async () => {
  cwd = temporaryFolder();
  await writePolicy("season1");
});

const writePolicy = (folder: string, files: Readonly<Record<string, string>> = {}) =>
  writePolicyFolder(join(cwd, folder), {
    "policy.toml": toml,
    "policy.sql": "select address, sum(volume) // 10 as score from trades group by address",
    "trades.csv": `address,volume\n${one},19\n${two},${u64Max}0\n${one},1\n${three},50\n`,
    "exclude.csv": `address\n${addressOf(4)}\n${two}\n`,
    ...files,
  });

const run = (folder: string, out = "scores.csv", options?: CliOptions) =>
  runCli(["score", "run", folder, "--stage", "12", "--out", out, "--json"], cwd, options);

test("writes the scores, and says what they were made from", async () => {
  const result = await run("season1");
  expect(result.status).toBe(0);
  const table = await readScores(join(cwd, "scores.csv"), { accountBytes: [20] });
  expect(await readFile(join(cwd, "scores.csv"), "utf8")).toMatch(/^address,score\n0x/);
  expect(result.json()).toEqual({
    command: "score run",
    stage: "12",
    window: null,
    policy: { name: "season 1", version: "2", chainId: "rollup-1", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    sources: [
      {
        name: "trades",
        kind: "reference",
        rows: 4,
        misfits: null,
        compared: null,
        leftOut: null,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ],
    duckdb: expect.stringMatching(/^v\d/),
    accounts: 2,
    total: "7",
    sha256: table.digest(),
    excluded: {
      accounts: 2,
      scored: [{ address: expect.stringMatching(new RegExp(two, "i")), score: `${u64Max}` }],
    },
    file: "scores.csv",
    manifest: "scores.manifest.json",
    signer: null,
  });
  expect(result.stderr.split("\n")).toEqual([
    expect.stringMatching(/^policy {4}"season 1" 2 {2}chain rollup-1 {2}sha256 \S+ {2}DuckDB v/),
    expect.stringMatching(/^trades {2}reference {2}4 rows {2}sha256 /),
    expect.stringMatching(/^excluded .*\b2 accounts\b.*\b1$/),
    expect.stringMatching(/^ {2}0x/),
    expect.stringMatching(/^scored .*\b2 accounts\b.*\bstage 12\b.*\bscores\.csv\b.*\b7\b/),
    "",
  ]);
});

test("writes a manifest beside the scores", async () => {
  const { policy, sources, duckdb, sha256 } = (await run("season1", "scores12.CSV")).json();
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as JsonObject;
  const manifest = JSON.parse(await readFile(join(cwd, "scores12.manifest.json"), "utf8")) as JsonObject;
  expect(manifest).toEqual({
    format: "vipscore-scores/1",
    stage: "12",
    policy: {
      name: "season 1",
      version: "2",
      sha256: (policy as JsonObject)["sha256"],
      files: ["exclude.csv", "policy.sql", "policy.toml", "trades.csv"].map((name) => ({
        name,
        bytes: expect.any(Number) as number,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      })),
    },
    rollup: { vm: null, chainId: "rollup-1" },
    window: null,
    sources: (sources as readonly JsonObject[]).map(({ name, kind, rows, sha256: digest }) => ({
      name,
      kind,
      rows,
      sha256: digest,
    })),
    versions: { vipscore: version, duckdb },
    scores: { file: "scores12.CSV", accounts: 2, total: "7", sha256 },
    excluded: 1,
  });
});

test("gives the same digests in another folder", async () => {
  await writePolicy("elsewhere/copy");
  const first = await run("season1", "first.csv");
  const second = await run("elsewhere/copy", "second.csv");
  expect({ ...second.json(), file: "first.csv", manifest: "first.manifest.json" }).toEqual(first.json());
  const manifest = await readFile(join(cwd, "second.manifest.json"), "utf8");
  expect(manifest.replace("second.csv", "first.csv")).toBe(await readFile(join(cwd, "first.manifest.json"), "utf8"));
  expect(await readFile(join(cwd, "second.csv"), "utf8")).toBe(await readFile(join(cwd, "first.csv"), "utf8"));
});

test.each(["[chain]", "st*r", "q?z", "[!a]", "it's {a,b}"])("runs in a folder named %s", async (name) => {
  await writePolicy(join(name, "season1"));
  await mkdir(join(cwd, name, "spill"));
  const inside = (args: readonly string[]) => runCli([...args, "season1", "--stage", "12", "--json"], join(cwd, name));
  const result = await inside(["score", "run", "--out", "scores.csv", "--spill", "spill"]);
  expect(result.json()).toMatchObject({ accounts: 2 });
  expect((await inside(["score", "data"])).status).toBe(0);
});

test("names the folder of the data if it cannot be written", async () => {
  await writeFile(join(cwd, ".vipscore"), "");
  const result = await runCli(["score", "data", "season1", "--stage", "12", "--json"], cwd);
  expect([result.status, codeOf(result)]).toEqual([2, "FILE_UNWRITABLE"]);
  expect(result.stdout).toMatch(/\.vipscore\b.*\bENOTDIR\b/);
});

describe("writes nothing", () => {
  test.each([
    ["a field that nobody knows", { "policy.toml": `color = "red"\n${toml}` }, "POLICY_INVALID", 2],
    ["a file of the system", { "policy.sql": "select * from read_csv('/etc/passwd')" }, "POLICY_REFUSED", 2],
    ["a file to write", { "policy.sql": "copy trades to 'stolen.csv'" }, "POLICY_REFUSED", 2],
    [
      "a fraction",
      { "policy.sql": "select address, sum(volume) / 10 as score from trades group by all" },
      "POLICY_REFUSED",
      2,
    ],
    [
      "an order that decides",
      { "policy.sql": "select address, first(volume order by 1) as score from trades where volume < 100 group by all" },
      "POLICY_NOT_DETERMINISTIC",
      3,
    ],
    ["a wrong value in a source", { "trades.csv": `address,volume\n${one},many\n` }, "INPUT_INVALID", 2],
    ["a missing file", { "policy.toml": toml.replace("trades.csv", "other.csv") }, "FILE_UNREADABLE", 2],
  ] as const)("for %s", async (_, files, code, exit) => {
    await writePolicy("season1", files);
    const before = await readdir(cwd, { recursive: true });
    const result = await run("season1");
    expect(result.json()).toMatchObject({ error: { code, exit } });
    expect(result.status).toBe(exit);
    expect(await readdir(cwd, { recursive: true })).toEqual(before);
  });

  test("if the file exists, before the policy is read", async () => {
    await writeFile(join(cwd, "scores.csv"), "kept");
    const result = await run("missing");
    expect(result.json()).toMatchObject({ error: { code: "FILE_UNWRITABLE" } });
    expect(await readFile(join(cwd, "scores.csv"), "utf8")).toBe("kept");
  });

  test("if the manifest exists", async () => {
    await writeFile(join(cwd, "scores.manifest.json"), "kept");
    const before = await readdir(cwd, { recursive: true });
    expect((await run("season1")).json()).toMatchObject({ error: { code: "FILE_UNWRITABLE" } });
    expect(await readdir(cwd, { recursive: true })).toEqual(before);
  });

  test("if the manifest comes into being meanwhile", async () => {
    await run("season1");
    const manifest = parseManifest(await readFile(join(cwd, "scores.manifest.json"), "utf8"), "m.json");
    await rm(join(cwd, "scores.csv"));
    const before = await readdir(cwd, { recursive: true });
    const written = writeScores(join(cwd, "scores.csv"), "scores.csv", ScoreTable.from([]), manifest);
    await expect(written).rejects.toMatchObject({ code: "FILE_UNWRITABLE" });
    expect(await readdir(cwd, { recursive: true })).toEqual(before);
  });

  test("when it is interrupted", async () => {
    const abort = new AbortController();
    const sql =
      "select (count(*) + sum(hash(a.range + b.range) % 2))::varchar as address, 1 as score from range(1000000) a, range(1000000) b";
    await writePolicy("season1", { "policy.sql": sql });
    const before = await readdir(cwd, { recursive: true });
    const running = run("season1", "scores.csv", { signal: abort.signal });
    setImmediate(() => abort.abort());
    expect((await running).status).toBe(130);
    expect(await readdir(cwd, { recursive: true })).toEqual(before);
  });
});
