import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allowedInstallScripts } from "./supply/allowedInstallScripts.ts";
import { lockFaults } from "./supply/lockFaults.ts";
import { nameIn, registryFolders, type LockFile } from "./supply/lockFile.ts";
import { productionTree } from "./supply/productionTree.ts";
import { treeSize } from "./supply/treeSize.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const lock = JSON.parse(read("package-lock.json")) as LockFile;
const text = read("docs/supply-chain.md");

const vms = ["evm", "move", "wasm"] as const;

/** Maximum packages and megabytes installed beside a key. Packages of this workspace are not counted. */
const limits: readonly (readonly [kept: readonly (typeof vms)[number][], packages: number, megabytes: number])[] = [
  [vms, 25, 60],
  [["move"], 15, 20],
  [["wasm"], 15, 20],
];

/** The production tree of the command with some of the VMs. Without EVM, `--omit=optional` leaves out viem too. */
function commandWith(...kept: readonly (typeof vms)[number][]): readonly string[] {
  const leftOut = vms.filter((vm) => !kept.includes(vm)).map((vm) => `@vipscore/${vm}`);
  if (!kept.includes("evm")) leftOut.push("viem");
  return productionTree(lock, "packages/cli", new Set(leftOut));
}

it.each(limits)("the command with %s has its chain library and little else", (kept, packages, megabytes) => {
  const size = treeSize(root, commandWith(...kept));
  // Without bytes, nothing was measured.
  expect(size.megabytes).toBeGreaterThan(1);
  expect(size.packages).toBeLessThanOrEqual(packages);
  expect(size.megabytes).toBeLessThanOrEqual(megabytes);
});

it("the command has no local chain, database or policy, and no second version of a package with one VM", () => {
  const names = commandWith(...vms).map(nameIn);
  const others = new Set(["hardhat", "@foundry-rs/anvil", "better-sqlite3", "pg", "hono", "@duckdb/node-api"]);
  expect(names.filter((name) => others.has(name))).toEqual([]);
  const evm = commandWith("evm").map(nameIn);
  expect(evm.filter((name, index) => evm.indexOf(name) !== index)).toEqual([]);
});

/** Not every mirror of npm has these, in any version. Only tests need anvil. */
const withoutDigest: readonly string[] = [
  "@foundry-rs/anvil-darwin-amd64",
  "@foundry-rs/anvil-darwin-arm64",
  "@foundry-rs/anvil-linux-arm64",
  "@foundry-rs/anvil-win32-amd64",
];

it("the lock file has a digest of each package, for every platform", () => {
  expect(lockFaults(lock, withoutDigest)).toEqual([]);
});

it("gives the number of packages of each installation", () => {
  const command = new Set(commandWith(...vms));
  const added = (name: string): number =>
    productionTree(lock, `packages/${name}`).filter((folder) => !command.has(folder)).length;
  const counts = {
    "cli, all VMs": command.size,
    ...Object.fromEntries(vms.map((vm) => [`cli, ${vm} only`, commandWith(vm).length])),
    "cli, no VM": commandWith().length,
    ...Object.fromEntries(["policy", "localnet", "indexer", "conformance"].map((name) => [`and ${name}`, added(name)])),
  };
  const rows = [...text.matchAll(/^\| ((?:cli, |and )[\w ]+?) +\| (\d+) /gm)];
  expect(Object.fromEntries(rows.map(([, name, count]) => [name, Number(count)]))).toEqual(counts);
});

it("knows every package with an install script", () => {
  const found = registryFolders(lock).filter((folder) => lock.packages[folder]?.hasInstallScript === true);
  expect([...new Set(found.map(nameIn))].sort()).toEqual(allowedInstallScripts);
});

it("explains every install script that a user of the command gets", () => {
  const tree = ["cli", "policy", "localnet", "indexer", "conformance"].flatMap((name) =>
    productionTree(lock, `packages/${name}`),
  );
  const names = tree.filter((folder) => lock.packages[folder]?.hasInstallScript === true).map(nameIn);
  expect(names.filter((name) => !text.includes(`| \`${name}\``))).toEqual([]);
});

it("gives the reason for every direct dependency of the packages", () => {
  const folders = ["contracts", "packages"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  );
  const names = folders.flatMap((folder) => {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(read(`${folder}/package.json`)) as {
      readonly dependencies?: Readonly<Record<string, string>>;
      readonly optionalDependencies?: Readonly<Record<string, string>>;
    };
    return Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !name.startsWith("@vipscore/"));
  });
  expect([...new Set(names)].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

it("takes the public packages at any version where a package is private, because a release does not change it", () => {
  const isPublic = (name: string): boolean => existsSync(join(root, "packages", name.replace("@vipscore/", "")));
  const pinned = readdirSync(join(root, "tools"))
    .map((name) => `tools/${name}`)
    .flatMap((folder) => {
      const { dependencies, devDependencies } = lock.packages[folder] ?? {};
      return Object.entries({ ...dependencies, ...devDependencies })
        .filter(([name, version]) => name.startsWith("@vipscore/") && isPublic(name) && version !== "*")
        .map(([name]) => `${folder}  ${name}`);
    });
  expect(pinned).toEqual([]);
});

it("follows dependencies as Node resolves them", () => {
  const packages: LockFile["packages"] = {
    "packages/a": {
      dependencies: { b: "1", own: "1" },
      peerDependencies: { peer: "1", rare: "1" },
      peerDependenciesMeta: { rare: { optional: true } },
    },
    "packages/b": { dependencies: { c: "1" } },
    "packages/a/node_modules/own": { dependencies: { c: "2" } },
    "packages/a/node_modules/own/node_modules/c": {},
    "node_modules/b": { link: true, resolved: "packages/b" },
    "node_modules/c": {},
    "node_modules/own": {},
    "node_modules/peer": {},
    "node_modules/rare": {},
  };
  expect(productionTree({ packages }, "packages/a")).toEqual([
    "packages/a/node_modules/own",
    "packages/a/node_modules/own/node_modules/c",
    "node_modules/c",
    "node_modules/peer",
  ]);
  expect(productionTree({ packages }, "packages/a", new Set(["b", "own"]))).toEqual(["node_modules/peer"]);
});
