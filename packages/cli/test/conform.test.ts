import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startHardhat } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { runCli, type JsonObject } from "./harness.ts";

const artifact = createRequire(import.meta.url).resolve("@vipscore/evm/artifacts/VipScore.json");

const folder = temporaryFolder();
const node = started(() => startHardhat());

test("tests vipscore's own contract on a chain of its own, and writes JUnit's format", async () => {
  const options = ["--only", "reference", "--seed", "7", "--junit", "conform.xml", "--json"];
  const result = await runCli(["conform", "--artifact", artifact, ...options], folder);
  const report = result.json();
  expect(result.status).toBe(0);
  expect(report).toMatchObject({
    command: "conform",
    vm: "evm",
    artifact,
    seed: 7,
    isPublished: true,
    comparesStorage: true,
    toRead: expect.arrayContaining([expect.stringMatching(/\bfallback\(\).*\bnone\b/)]),
    calls: { "updateScore(uint64,address,uint64)": { succeeded: expect.any(Number) } },
    gasPerRow: { reference: "50963" },
    exceptions: {},
    rules: ["P1", "P2", "P3", "P4"].map((rule) => ({ rule, verdict: "kept", broken: [] })),
  });
  const scenarios = report["scenarios"] as readonly JsonObject[];
  expect(scenarios.filter(({ verdict, seen }) => verdict !== "kept" || seen !== "")).toEqual([]);
  const xml = await readFile(join(folder, "conform.xml"), "utf8");
  expect(xml.match(/<testcase /g)).toHaveLength(scenarios.length);
  const again = await runCli(["conform", ...options], folder);
  expect(again.json()).toMatchObject({ error: { code: "FILE_UNWRITABLE" } });
});

test("names the rule that a contract does not keep, and what was seen", async () => {
  const changed = (await readFile(artifact, "utf8")).replaceAll('"name":"isIndexed"', '"name":"exists"');
  await writeFile(join(folder, "Changed.json"), changed.replaceAll('"name": "isIndexed"', '"name": "exists"'));
  const options = ["--only", "reference", "--seed", "7", "--endpoint", node.rpcUrl, "--json"];
  const run = ["conform", "--artifact", "Changed.json", ...options];
  const result = await runCli(run, folder);
  expect(result.status).toBe(3);
  expect(result.json()).toMatchObject({
    error: { code: "NOT_CONFORMING" },
    rules: [
      { rule: "P1", verdict: "broken", broken: ["program.interface"] },
      { rule: "P2", verdict: "kept" },
      { rule: "P3", verdict: "kept" },
      { rule: "P4", verdict: "kept" },
    ],
  });
  expect(result.stderr).toMatch(/\bbool isIndexed\b.*\bbool exists\b/);
});

test.each([
  ["--except", "R16"],
  ["--except", "P2=reason"],
  ["--except", "R99=reason"],
  ["--only", "reference", "--except", "R16=reason"],
  ["--seed", "-1"],
  ["--vm", "svm"],
  ["--artifact", "missing.json"],
  ["--artifact", "."],
  ["--sources", "missing.json"],
  ["--sources", artifact],
  ["--sources"],
  ["--vm", "move", "--sources", artifact],
  ["--vm", "wasm", "--sources", "."],
])("%s %s is refused before a chain starts", async (...args) => {
  const result = await runCli(["conform", ...args, "--json"], folder);
  expect(result.status).toBe(2);
  expect(result.json()).toMatchObject({ error: { exit: 2 } });
});
