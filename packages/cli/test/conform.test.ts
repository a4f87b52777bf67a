import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { startHardhat } from "@vipscore/localnet";
import { compileSolidity } from "@vipscore/testkit/compileSolidity";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { startCli } from "./childCli.ts";
import { runCli, type JsonObject } from "./harness.ts";

const artifact = createRequire(import.meta.url).resolve("@vipscore/evm/artifacts/VipScore.json");

const folder = temporaryFolder();

test("tests a contract on a given chain, names the rule that it breaks and what was seen, and writes JUnit's format", async () => {
  // Our own contract, whose interface names a field otherwise.
  const changed = (await readFile(artifact, "utf8")).replaceAll('"name":"isIndexed"', '"name":"exists"');
  await writeFile(join(folder, "Changed.json"), changed.replaceAll('"name": "isIndexed"', '"name": "exists"'));
  const options = ["--only", "reference", "--seed", "7", "--junit", "conform.xml", "--json"];
  await using node = await startHardhat();
  const run = ["conform", "--artifact", "Changed.json", "--endpoint", node.rpcUrl, ...options];
  const result = await runCli(run, folder);
  const report = result.json();
  expect(result.status).toBe(3);
  expect(report).toMatchObject({
    command: "conform",
    error: { code: "NOT_CONFORMING" },
    vm: "evm",
    artifact: "Changed.json",
    seed: 7,
    isPublished: true,
    warnings: [],
    gasPerRow: { reference: "50963" },
    exceptions: {},
    rules: [
      { rule: "P1", verdict: "broken", broken: ["program.interface"] },
      { rule: "P2", verdict: "kept", broken: [] },
      { rule: "P3", verdict: "kept", broken: [] },
      { rule: "P4", verdict: "kept", broken: [] },
    ],
  });
  const scenarios = report["scenarios"] as readonly JsonObject[];
  const broken = scenarios.filter(({ verdict, seen }) => verdict !== "kept" || seen !== "");
  expect(broken.map(({ id }) => id)).toEqual(["program.interface"]);
  expect(result.stderr).toMatch(new RegExp(`^${scenarios.length} of ${scenarios.length}  program\\.`, "m"));
  expect(result.stderr).toMatch(/\bbool isIndexed\b.*\bbool exists\b/);
  const xml = await readFile(join(folder, "conform.xml"), "utf8");
  expect(xml.match(/<testcase /g)).toHaveLength(scenarios.length);
  expect(xml.match(/<failure /g)).toHaveLength(1);
  const again = await runCli(["conform", ...options], folder);
  expect(again.json()).toMatchObject({ error: { code: "FILE_UNWRITABLE" } });
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

test("what a contract prints is not in the output", async () => {
  const escape = String.fromCharCode(27);
  const source = `contract Loud { constructor(uint64) {
    address(0x000000000000000000636F6e736F6c652e6c6f67).staticcall(
      abi.encodeWithSignature("log(string)", unicode"::error::${escape}[2J"));
  } }`;
  await writeFile(join(folder, "Loud.sol"), source);
  const { Loud } = await compileSolidity(pathToFileURL(join(folder, "Loud.sol")));
  await writeFile(join(folder, "Loud.json"), JSON.stringify(Loud));
  const args = ["conform", "--artifact", "Loud.json", "--only", "reference", "--json"];
  const child = startCli(args, folder);
  expect(await child.ended).toBe(3);
  expect(child.output.stdout + child.output.stderr).not.toContain(escape);
  expect(JSON.parse(child.output.stdout)).toMatchObject({ error: { code: "NOT_CONFORMING" } });
});
