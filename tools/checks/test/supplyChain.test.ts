import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allowedInstallScripts } from "../src/supply/allowedInstallScripts.ts";
import { nameIn, registryFolders, type LockFile } from "../src/supply/lockFile.ts";
import { productionTree } from "../src/supply/productionTree.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const lock = JSON.parse(read("package-lock.json")) as LockFile;
const text = read("docs/supply-chain.md");

/** How many packages for platforms other than the one that wrote the lock file have no digest in it. */
const withoutIntegrity = 52;

it("knows every package with an install script", () => {
  const found = registryFolders(lock).filter((folder) => lock.packages[folder]?.hasInstallScript === true);
  expect([...new Set(found.map(nameIn))].sort()).toEqual(allowedInstallScripts);
});

it("explains every install script that a user of the command gets", () => {
  const tree = productionTree(lock, "packages/cli");
  const names = tree.filter((folder) => lock.packages[folder]?.hasInstallScript === true).map(nameIn);
  expect(names.filter((name) => !text.includes(`| \`${name}\``))).toEqual([]);
});

it("has a digest of every package that Linux x64 installs", () => {
  const missing = registryFolders(lock).filter((folder) => lock.packages[folder]?.integrity === undefined);
  expect(missing).toHaveLength(withoutIntegrity);
  const installable = missing.filter((folder) => {
    const { optional, os = ["linux"], cpu = ["x64"] } = lock.packages[folder] ?? {};
    return optional !== true || (os.includes("linux") && cpu.includes("x64") && !folder.endsWith("-musl"));
  });
  expect(installable).toEqual([]);
  expect(text).toContain(`${withoutIntegrity} entries`);
});

it("gives the reason for every direct dependency of the packages", () => {
  const names = readdirSync(join(root, "packages")).flatMap((folder) => {
    const { dependencies = {} } = JSON.parse(read(`packages/${folder}/package.json`)) as {
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    return Object.keys(dependencies).filter((name) => !name.startsWith("@vipscore/"));
  });
  expect([...new Set(names)].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
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
});
