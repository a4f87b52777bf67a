import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { contractVersion } from "@vipscore/testkit/contractVersion";
import { listFiles } from "./listFiles.ts";
import { findFileFaults, maxCodeLines } from "./sources/fileFaults.ts";
import { findImportFaults, findUndeclared, type Manifest } from "./sources/importFaults.ts";
import { findCommandFaults, findVmFaults } from "./sources/nameFaults.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("every source file", () => {
  const thisFile = relative(root, import.meta.filename);
  const files = listFiles(root, [".ts", ".tsx", ".mjs", ".sol", ".move", ".rs", ".go"]).filter(
    (path) => path !== thisFile,
  );

  it("is found", () => {
    expect(files).toEqual(
      expect.arrayContaining(["packages/core/src/index.ts", "tools/vipnode/chain/app.go", "contracts/wasm/src/lib.rs"]),
    );
  });

  it("is short, exports only as index.ts, skips no test and asserts no sentence", () => {
    expect(files.flatMap((path) => findFileFaults(path, read(path)))).toEqual([]);
  });

  it("imports what docs/architecture.md lets it", () => {
    const sources = files.filter((path) => /\.(?:ts|mjs)$/.test(path));
    expect(sources.flatMap((path) => findImportFaults(path, read(path)))).toEqual([]);
  });

  it("imports nothing that its package, once published, does not declare", () => {
    const published = listFiles(root, [".ts", ".js"]).filter(
      (path) =>
        /^packages\/[\w-]+\/(?:bin|src)\/|^contracts\/[\w-]+\/(?:client\/|[\w-]+\.js$)/.test(path) &&
        !/\.(?:test|test-d)\.ts$/.test(path),
    );
    expect(published).toEqual(expect.arrayContaining(["packages/cli/bin/vipscore.js", "contracts/move/initia.js"]));
    const manifestOf = (path: string): Manifest =>
      JSON.parse(read(join(...path.split("/").slice(0, 2), "package.json"))) as Manifest;
    expect(published.flatMap((path) => findUndeclared(path, read(path), manifestOf(path)))).toEqual([]);
  });

  it("compares no VM's name in core, and in the command only in its folder of VMs", () => {
    const sources = files.filter((path) => path.endsWith(".ts"));
    expect(sources.flatMap((path) => findVmFaults(path, read(path)))).toEqual([]);
  });

  it("names no flag, variable or line of the command in a library's texts", () => {
    expect(files.flatMap((path) => findCommandFaults(path, read(path)))).toEqual([]);
  });
});

/** The target that runs the tests of each folder of a package; nx.json says how. */
const targets: Readonly<Record<string, string>> = {
  src: "test",
  test: "test-node",
  "test/docs": "test-docs",
  "test/browser": "test-browser",
  "test-long": "test-long",
};

it("every test runs in a target of its package", () => {
  const tests = listFiles(root, [".ts"]).filter((path) => path.endsWith(".test.ts"));
  const missing = tests.filter((path) => {
    const [, folder = "", kind = ""] = /^(\w+\/[\w-]+)\/(test\/docs|test\/browser|[\w-]+)\//.exec(path) ?? [];
    const manifest = JSON.parse(read(join(folder, "package.json"))) as { readonly nx?: { readonly targets?: object } };
    return !((targets[kind] ?? "none") in (manifest.nx?.targets ?? {}));
  });
  expect(missing).toEqual([]);
});

describe("the version of the scoring contracts", () => {
  it.each([
    ["contracts/evm/src/VipScore.sol", `return "${contractVersion}";`],
    ["contracts/move/Move.toml", `version = "${contractVersion}"`],
    ["contracts/move/sources/vip_score.move", `VERSION: vector<u8> = b"${contractVersion}"`],
  ])("is in %s that of contracts/wasm/Cargo.toml", (path, line) => {
    expect(read(path)).toContain(line);
  });
});

describe("findFileFaults", () => {
  const lines = "x\n".repeat(maxCodeLines);

  it.each([
    ["a/b.go", `${lines}// comment\n\n/* comment\n comment */\n`],
    ["contracts/move/sources/vip_score.move", `${lines}x\n`],
    [
      "a/index.ts",
      '/** Why. */\nexport { a } from "./a.ts";\nexport type {\n  B,\n} from "./b.ts";\nexport * from "./c.ts";\n',
    ],
    ["a/b.rs", "iter().skip(1)"],
    ["a/b.test.ts", 'expect(text).toContain("vipscore members add 0x12")'],
    ["a/b.test.ts", "expect(text).toMatch(/\\bstage 3\\b.*\\btotal\\b/)"],
    ["a/b.test.ts", "expect(run).toThrow(`${name} in block ${height}`)"],
    ["a/b.test.ts", 'expect(result).toContain("out of gas")'],
  ])("accepts %s", (path, text) => {
    expect(findFileFaults(path, text)).toEqual([]);
  });

  it.each([
    ["a/b.go", `${lines}x // comment\n`, "301 lines of code"],
    ["a/utils.ts", "", "is named for no job"],
    ["a/common/b.ts", "", "is named for no job"],
    ["a/index.ts", 'export { a } from "./a.ts";\nconst b = 1;\n', "does more than export"],
    ["a/b.test.ts", "it.skipIf(true)", "skips a test: .skipIf("],
    ["a/b.test.ts", "(context) => context.skip()", "skips a test: context.skip("],
    ["a/b_test.go", "t.Skip()", "skips a test: t.Skip("],
    ["a/b.rs", "#[ignore]", "skips a test: #[ignore"],
    ["a/b.test.ts", 'expect(a).toContain("it is final")', "asserts a sentence: it is final"],
    ["a/b.test.ts", "expect(a).toMatch(/^stage \\d is still open/)", "asserts a sentence: ^stage \\d is still open"],
    ["a/b.test.ts", "expect(a).toThrow(new RegExp(`${b}, not of stage`))", "asserts a sentence: ${b}, not of stage"],
    ["a/b.test.ts", 'toMatchObject({ shortMessage: "no such file" })', "asserts a sentence: no such file"],
  ])("refuses %s", (path, text, reason) => {
    expect(findFileFaults(path, text)).toEqual([`${path}  ${reason}`]);
  });
});

describe("findImportFaults", () => {
  it.each([
    ["packages/core/src/push/a.ts", 'import { b } from "../wire/b.ts";'],
    ["packages/core/src/wire/a.test.ts", 'import { b } from "../push/b.ts";'],
    ["packages/evm/test/a.ts", 'import { b } from "../src/b.ts";\nimport { c } from "@vipscore/core";'],
    ["packages/cli/src/a.ts", 'import type { B } from "@vipscore/policy";\nimport { c } from "@vipscore/l1";'],
    ["packages/cli/src/a.ts", 'import type {\n  B,\n} from "@vipscore/policy";'],
    ["packages/cli/src/optionalPackage.ts", 'import("@vipscore/policy")'],
    ["packages/cli/test/a.ts", 'import { b } from "@vipscore/policy";'],
    ["tools/release/projects/a/b.ts", 'import "@vipscore/cli";'],
    ["tools/release/src/rehearsal/a.ts", 'import { b } from "@vipscore/localnet";'],
    ["tools/action/src/a.ts", 'import { b } from "node:fs";\nimport { c } from "./c.ts";'],
  ])("accepts %s", (path, text) => {
    expect(findImportFaults(path, text)).toEqual([]);
  });

  it.each([
    ["packages/core/src/wire/a.ts", 'import { b } from "../push/b.ts";', "wire does not import push"],
    ["packages/core/src/errors/a.ts", 'import {\n  b,\n} from "../time/b.ts";', "errors does not import time"],
    ["packages/evm/test/a.ts", 'export * from "../../core/src/b.ts";', "import a package by its name"],
    ["tools/testkit/src/a.ts", 'import "@vipscore/evm";', "testkit imports VM packages in faults alone"],
    ["packages/demo/src/a.ts", 'await import("@vipscore/cli");', "nothing imports the command"],
    ["packages/cli/src/a.ts", 'import { b } from "@vipscore/policy";', "load an optional package .*"],
    ["packages/cli/src/a.ts", 'import {\n  b,\n} from "@vipscore/blocks/evm";', "load an optional package .*"],
    ["packages/cli/src/a.ts", 'await import("@vipscore/evm");', "load an optional package .*"],
    ["packages/cli/src/a.ts", 'import { b, type C } from "@vipscore/move";', "load an optional package .*"],
    ["tools/site/src/a.ts", 'import "@vipscore/cli";', "nothing imports the command"],
    ["tools/action/src/a.ts", 'import { b } from "../../../packages/cli/src/b.ts";', "import a package by its name"],
    ["tools/action/src/a.ts", 'import type { B } from "@vipscore/core";', "runs without npm ci: .*"],
    ["tools/doctor/src/a.mjs", 'await import("yaml")', "runs without npm ci: .*"],
    [
      "packages/evm/src/a.test.ts",
      'import { startHardhat } from "@vipscore/localnet";',
      "a unit test starts no node .*",
    ],
    ["packages/core/src/b/a.test.ts", 'import { spawn } from "node:child_process";', "a unit test starts no node .*"],
  ])("refuses in %s: %s", (path, text, reason) => {
    expect(findImportFaults(path, text)).toEqual([expect.stringMatching(new RegExp(`^${path}  .*  ${reason}$`))]);
  });
});

describe("findUndeclared", () => {
  const manifest = {
    name: "own",
    dependencies: { "@a/b": "1" },
    peerDependencies: { peer: "1" },
    devDependencies: { dev: "1" },
  };

  it.each([
    'import "@a/b/c";',
    'import { a } from "peer";',
    'import own from "own/package.json";',
    'import("node:fs")',
  ])("accepts %s", (text) => {
    expect(findUndeclared("packages/own/src/a.ts", text, manifest)).toEqual([]);
  });

  it.each(['import a, { b } from "dev";', 'import type { A } from "@a/other";', 'await import("peers/b")'])(
    "refuses %s",
    (text) => {
      expect(findUndeclared("packages/own/src/a.ts", text, manifest)).toHaveLength(1);
    },
  );
});

describe("findVmFaults", () => {
  it.each([
    ["packages/cli/src/rollup/rollups.ts", 'vm === "evm"'],
    ["packages/cli/src/nft/a.ts", 'rollups[vm].blocksProtocol === "RPC"; openRollup("evm")'],
    ["packages/evm/src/a.ts", 'vm === "evm"'],
    ["packages/core/src/push/a.test.ts", 'vm === "evm"'],
  ])("accepts in %s: %s", (path, text) => {
    expect(findVmFaults(path, text)).toEqual([]);
  });

  it.each([
    ["packages/cli/src/nft/a.ts", 'if (node.vm === "evm") return;'],
    ["packages/cli/src/commands/rollup/a.ts", 'vm !== "wasm"'],
    ["packages/core/src/push/a.ts", 'switch (vm) {\n  case "move":'],
    ["packages/core/src/a.ts", '"move" === vm'],
  ])("refuses in %s: %s", (path, text) => {
    expect(findVmFaults(path, text)).toHaveLength(1);
  });
});

describe("findCommandFaults", () => {
  it.each([
    ["packages/move/src/a.ts", "// as vipscore push does"],
    ["packages/move/src/a.ts", 'throw new Error("this is a bug of vipscore: report it");'],
    ["packages/cli/src/a.ts", '"run vipscore deploy"'],
  ])("accepts in %s: %s", (path, text) => {
    expect(findCommandFaults(path, text)).toEqual([]);
  });

  it.each([
    ["packages/move/src/a.ts", '"To complete it, run vipscore deploy --upgrade"'],
    ["packages/core/src/a.ts", '"push with --prune"'],
    ["packages/l1/src/a.ts", '"Set VIP_ADDRESS."'],
    ["packages/policy/src/a.ts", "`${file}: run \\`vipscore score run\\` again`"],
  ])("refuses in %s: %s", (path, text) => {
    expect(findCommandFaults(path, text)).toHaveLength(1);
  });
});
