import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { started } from "@vipscore/testkit/started";
import { csvOf, startTestChain, type JsonObject } from "./harness.ts";
import { installCommand } from "./installation.ts";

const chain = started(() => startTestChain());
const installed = started(() => installCommand());
beforeAll(async () => {
  await mkdir(join(chain.cwd, "policy"));
  await chain.write("policy/policy.toml", "name = 1\n");
  await chain.write("policy/policy.sql", "select 1");
});

interface Result {
  readonly status: number | null;
  readonly stderr: string;
  readonly json: JsonObject;
}

async function run(args: readonly string[], from = installed): Promise<Result> {
  const { ended, output } = from.start([...args, "--json"], chain.cwd);
  const status = await ended;
  return { status, stderr: output.stderr, json: JSON.parse(output.stdout) as JsonObject };
}

const contract = ["--endpoint", "http://127.0.0.1:9", "--contract", "0x1d8e31d5071bb4072fffc05b792685dcc5085bde"];

test.each([
  ["@vipscore/evm", ["status", "--vm", "evm", ...contract]],
  // Move has two protocols: this variable says which, so the endpoint is not asked.
  ["@vipscore/move", ["status", "--vm", "move", ...contract.slice(2)]],
  ["@vipscore/wasm", ["status", "--vm", "wasm", ...contract]],
  ["@vipscore/ledger", ["owner", "accept", "--vm", "evm", "--ledger", ...contract]],
  ["@vipscore/localnet", ["node", "--vm", "wasm"]],
  ["@vipscore/conformance", ["conform"]],
  ["@vipscore/contracts-evm", ["new", "evm", "game"]],
  ["@vipscore/contracts-move", ["new", "move", "game"]],
  ["@vipscore/contracts-wasm", ["new", "wasm", "game"]],
  ["@vipscore/indexer", ["indexer"]],
  [
    "@vipscore/policy",
    ["score", "new", "new", "--vm", "evm", "--example", "volume", "--chain-id", "c", "--contract", "0x1"],
  ],
  ["@vipscore/policy", ["score", "check", "policy", "--stage", "1"]],
  ["@vipscore/policy", ["score", "run", "policy", "--stage", "1", "--out", "s.csv"]],
])("without %s: PACKAGE_MISSING, with what installs it: %s", async (name, args) => {
  // `vipscore node` refuses to start a second node.
  const cwd = args[0] === "node" ? await mkdirOf("elsewhere") : chain.cwd;
  // As pnpm sets it for what it runs.
  const { ended, output } = installed.start([...args, "--json"], cwd, {
    npm_config_user_agent: "pnpm/11.0.0 npm/? node/v22.19.0",
    // As npm exec sets it.
    npm_command: args[0] === "node" ? "exec" : "run-script",
    RPC_NODE_URL: "http://127.0.0.1:9",
  });
  expect(await ended).toBe(2);
  const { error } = JSON.parse(output.stdout) as { readonly error: { readonly hints: readonly string[] } };
  expect(error).toMatchObject({ code: "PACKAGE_MISSING", exit: 2 });
  const names = args[0] === "node" ? `@vipscore/cli@\\S+ ${name}@` : `${name}@`;
  expect(error.hints.join("\n")).toMatch(new RegExp(`pnpm add ${names}`));
});

async function mkdirOf(name: string): Promise<string> {
  const path = join(chain.cwd, name);
  await mkdir(path, { recursive: true });
  return path;
}

test("with the VM alone, the command deploys, pushes, finalizes and reports, and prints no warning of Node", async () => {
  await using small = await installCommand();
  await small.link("@vipscore/evm");
  await chain.write("scores.csv", csvOf(3));
  for (const args of [
    ["deploy", "--init-stage", "1"],
    ["push", "scores.csv", "--stage", "1"],
    ["finalize", "--stage", "1", "--file", "scores.csv", "--yes"],
    ["export", "--stage", "1", "--out", "exported.csv"],
  ]) {
    const { status, stderr } = await run(args, small);
    expect({ args, status, stderr }).toMatchObject({ status: 0 });
    expect(stderr).not.toMatch(/warning|experimental/i);
  }
});

test("a package that is installed and broken is not reported as missing", async () => {
  await using broken = await installCommand();
  const folder = join(broken.modules, "@vipscore/policy");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "@vipscore/policy", exports: "./index.js" }));
  await writeFile(join(folder, "index.js"), 'import "@vipscore/missing";');
  const { status, json } = await run(["score", "check", "policy", "--stage", "1"], broken);
  expect(status).toBe(1);
  expect(json).toMatchObject({ error: { code: "INTERNAL" } });
});

test.each([
  ["for another Node or system", 'require("./native.node");'],
  // As the loaders of Hardhat and DuckDB do.
  ["that a loader does not find", 'throw new Error("Cannot find native binding: native.node");'],
  ["that npm left out", 'require("@other/bindings/native.node");'],
])("a native module %s: PACKAGE_MISSING, with what installs it again", async (_, code) => {
  await using moved = await installCommand();
  const folder = join(moved.modules, "@vipscore/policy");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "@vipscore/policy", exports: "./index.cjs" }));
  await writeFile(join(folder, "index.cjs"), code);
  await writeFile(join(folder, "native.node"), "of another system");
  const { status, json, stderr } = await run(["score", "check", "policy", "--stage", "1"], moved);
  expect(status).toBe(2);
  expect(json).toMatchObject({ error: { code: "PACKAGE_MISSING", exit: 2 } });
  expect(stderr).toMatch(new RegExp(`${process.version}\\b[^]*\\bnpm ci\\b[^]*\\bnative\\.node\\b`));
});

test("errors of a package that brings another copy of core keep their code and their rows", async () => {
  await using copied = await installCommand();
  await copied.copy("@vipscore/core");
  await copied.link("@vipscore/policy");
  const { status, json } = await run(["score", "check", "policy", "--stage", "1"], copied);
  expect(status).toBe(2);
  expect(json).toMatchObject({ error: { code: "POLICY_INVALID" } });
  await mkdir(join(chain.cwd, "rows"), { recursive: true });
  const policy = `name = "points"
version = "1"
exclude = "exclude.csv"
[rollup]
chain_id = "rollup-1"
[[source]]
name = "points"
kind = "reference"
file = "points.csv"
columns = { address = "address", points = "integer" }
`;
  await chain.write("rows/policy.toml", policy);
  await chain.write("rows/policy.sql", "select address, points as score from points");
  await chain.write("rows/exclude.csv", "address\n");
  await chain.write("rows/points.csv", "address,points\nnobody,1\n");
  const rows = await run(["score", "check", "rows", "--stage", "1"], copied);
  expect(rows.json).toMatchObject({ error: { exit: 2, issues: [{ reason: "ROW_MALFORMED", row: 2 }] } });
  await chain.write("rows/points.csv", "address,points\n0x1d8e31d5071bb4072fffc05b792685dcc5085bde,5\n");
  const scored = await run(["score", "run", "rows", "--stage", "1", "--out", "scored.csv"], copied);
  expect(scored.json).toMatchObject({ command: "score run", accounts: 1, total: "5" });
  const audited = await run(["audit", "scored.manifest.json", "--policy", "rows"], copied);
  expect(audited.json).toMatchObject({ command: "audit", reproduced: true });
});
