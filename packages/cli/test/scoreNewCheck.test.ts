import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { policyExamples, readPolicy } from "@vipscore/policy";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { addressOf, runCli } from "./harness.ts";

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

const contracts = { evm: addressOf(1), move: addressOf(1), wasm: addressOf(1) } as const;
const newPolicy = (example: string, vm: "evm" | "move" | "wasm", ...more: readonly string[]) => {
  const named = ["--example", example, "--vm", vm, "--chain-id", "rollup-1", "--contract", contracts[vm]];
  return runCli(["score", "new", "policies/one", ...named, ...more, "--json"], cwd);
};

describe.each(["evm", "move", "wasm"] as const)("score new on %s", (vm) => {
  test.each(policyExamples)("writes %s, which can be read", async (example) => {
    expect((await newPolicy(example, vm)).json()).toMatchObject({
      folder: "policies/one",
      files: ["policy.toml", "policy.sql", "exclude.csv", ".gitattributes"],
    });
    const policy = await readPolicy(join(cwd, "policies", "one"));
    expect(policy).toMatchObject({ name: example, chainId: "rollup-1", maxSharePercent: 10n });
    // Others may read it: it is to be published.
    expect((await stat(join(cwd, "policies", "one"))).mode & 0o055).toBe(0o055 & ~process.umask());
  });
});

test("replaces nothing, and leaves nothing behind", async () => {
  await newPolicy("game", "evm");
  await writeFile(join(cwd, "policies", "one", "policy.sql"), "mine");
  expect((await newPolicy("volume", "evm")).json()).toMatchObject({ error: { code: "FILE_UNWRITABLE" } });
  expect(await readFile(join(cwd, "policies", "one", "policy.sql"), "utf8")).toBe("mine");
  expect(await readdir(join(cwd, "policies"))).toEqual(["one"]);
});

test.each([
  ["would be more than a text in the settings", '"]\nkind = "reference'],
  ["fails its checksum", "0x1D8e31d5071bb4072fffc05b792685dcc5085bde"],
])("refuses a contract that %s", async (_, contract) => {
  const result = await newPolicy("game", "evm", "--contract", contract);
  expect(result.json()).toMatchObject({ error: { code: "INPUT_INVALID" } });
  expect(await readdir(cwd)).toEqual([]);
});

test("score check lists what is not allowed, and writes nothing", async () => {
  await newPolicy("volume", "evm");
  const folder = join(cwd, "policies", "one");
  await writeFile(
    join(folder, "policy.toml"),
    `name = "n"\nversion = "1"\nmax_share_percent = 50
[rollup]
chain_id = "rollup-1"
[[source]]
name = "points"
kind = "reference"
file = "points.csv"
columns = { address = "address", points = "integer" }
`,
  );
  await writeFile(join(folder, "policy.sql"), "select address, points as score from points");
  await writeFile(join(folder, "points.csv"), `address,points\n${addressOf(7)},3\n${addressOf(8)},1\n`);
  const before = await readdir(cwd, { recursive: true });
  const result = await runCli(["score", "check", "policies/one", "--stage", "3", "--json"], cwd);
  expect(result.status).toBe(3);
  expect(result.json()).toMatchObject({
    accounts: 2,
    total: "4",
    rules: { url: expect.stringMatching(/^https:/), asOf: "2025-09" },
    checks: [
      ...["question", "question", "question", "question", "forbidden"].map((state) => ({ state })),
      { check: "rule-6", state: "question" },
      { check: "rule-7", state: "forbidden" },
      { check: "rule-8", state: "question" },
      { check: "rule-9", state: "question" },
      { check: "rule-10", state: "question" },
      { check: "claimants", state: "skipped" },
      { check: "largest-share", state: "forbidden", accounts: [{ score: "3" }] },
      { check: "total", state: "ok" },
      { check: "dropped", state: "ok" },
    ],
    error: { code: "POLICY_FORBIDDEN", exit: 3 },
  });
  const shown = await runCli(["score", "check", "policies/one", "--stage", "3"], cwd);
  expect(shown.stdout).toMatch(/✗ largest-share .*\b50%.*\b0x\w{40}\b.*\b75\.00%/);
  expect(await readdir(cwd, { recursive: true })).toEqual(before);
  const portable = ["score", "check", "policies/one", "--stage", "3", "--portable", "--json"];
  expect((await runCli(portable, cwd)).json()["checks"]).toContainEqual(
    expect.objectContaining({ check: "portable", state: "ok", fix: [] }),
  );
  const sql = "select address,\n  sum(points) // 2 as score\nfrom points group by address";
  await writeFile(join(folder, "policy.sql"), sql);
  expect((await runCli(portable, cwd)).json()["checks"]).toContainEqual(
    expect.objectContaining({
      check: "portable",
      state: "forbidden",
      fix: [expect.stringMatching(/^policy\.sql:2 .*\/\/.*\bClickHouse\b/)],
    }),
  );
});
