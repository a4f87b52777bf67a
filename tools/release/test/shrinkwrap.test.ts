import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { shrinkwrap, type LockFile, type OwnPackage } from "../src/shrinkwrap.ts";

const root = join(import.meta.dirname, "../../..");

interface Shrinkwrap {
  readonly name: string;
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function own(path: string, needs: Partial<OwnPackage["manifest"]>, integrity?: string): OwnPackage {
  return { path, manifest: { name: `@example/${path.slice(9)}`, version: "1.0.0", ...needs }, integrity };
}

const third = (version: string, more: object = {}): object => ({
  version,
  resolved: `https://registry.example/${version}.tgz`,
  integrity: `sha512-${version}`,
  ...more,
});

const lock = {
  packages: {
    "": {},
    "packages/cli": {},
    "packages/core": {},
    "packages/evm": {},
    "packages/cli/node_modules/args": third("2.0.0"),
    "packages/evm/node_modules/hash": third("2.0.0", { dependencies: { args: "1.0.0" } }),
    "node_modules/@example/core": { link: true, resolved: "packages/core" },
    "node_modules/@example/evm": { link: true, resolved: "packages/evm" },
    "node_modules/args": third("1.0.0", { dev: true, license: "MIT" }),
    "node_modules/hash": third("1.0.0", { optionalDependencies: { native: "1.0.0", missing: "1.0.0" } }),
    "node_modules/native": third("1.0.0", { os: ["linux"], hasInstallScript: true }),
    "node_modules/peer": third("1.0.0"),
    "node_modules/unused": third("1.0.0"),
  },
} as LockFile;
const cli = own("packages/cli", {
  dependencies: { "@example/core": "1.0.0", args: "2.0.0" },
  optionalDependencies: { "@example/evm": "1.0.0" },
  peerDependencies: { unused: "1.0.0" },
  peerDependenciesMeta: { unused: { optional: true } },
});
const core = own("packages/core", { dependencies: { hash: "1.0.0" } }, "sha512-core");
const evm = own(
  "packages/evm",
  { dependencies: { "@example/core": "1.0.0", hash: "2.0.0" }, peerDependencies: { peer: "1.0.0" } },
  "sha512-evm",
);

it("holds the production tree with versions and digests, and says what is optional", () => {
  const { packages } = JSON.parse(shrinkwrap(lock, "packages/cli", [cli, core, evm])) as Shrinkwrap;
  expect(packages[""]).toMatchObject({ name: "@example/cli", optionalDependencies: { "@example/evm": "1.0.0" } });
  const rows = Object.entries(packages)
    .slice(1)
    .map(([place, entry]) => [place, entry["version"], entry["integrity"], entry["optional"] ?? false]);
  expect(rows).toEqual([
    ["node_modules/@example/core", "1.0.0", "sha512-core", false],
    ["node_modules/@example/evm", "1.0.0", "sha512-evm", true],
    // The top has the command's own version of args, and core's of hash.
    ["node_modules/@example/evm/node_modules/hash", "2.0.0", "sha512-2.0.0", true],
    ["node_modules/@example/evm/node_modules/hash/node_modules/args", "1.0.0", "sha512-1.0.0", true],
    ["node_modules/args", "2.0.0", "sha512-2.0.0", false],
    ["node_modules/hash", "1.0.0", "sha512-1.0.0", false],
    ["node_modules/native", "1.0.0", "sha512-1.0.0", true],
    ["node_modules/peer", "1.0.0", "sha512-1.0.0", true],
  ]);
  expect(packages["node_modules/native"]).toMatchObject({ os: ["linux"], hasInstallScript: true });
  expect(packages["node_modules/args"]).not.toHaveProperty("resolved");
});

it("refuses what the lock file does not hold", () => {
  expect(() => shrinkwrap(lock, "packages/cli", [cli, core, { ...evm, integrity: undefined }])).toThrow(Error);
  const other = own("packages/core", { dependencies: { nowhere: "1.0.0" } }, "sha512-core");
  expect(() => shrinkwrap(lock, "packages/cli", [cli, other, evm])).toThrow(Error);
  expect(() => shrinkwrap(lock, "packages/cli", [core, evm])).toThrow(Error);
});

it("gives every package of the command what it asks for, as npm resolves it", () => {
  const packages = readdirSync(join(root, "packages")).map((name): OwnPackage => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")) as object;
    return { path: `packages/${name}`, manifest: manifest as OwnPackage["manifest"], integrity: "sha512-own" };
  });
  const text = readFileSync(join(root, "package-lock.json"), "utf8");
  const written = JSON.parse(shrinkwrap(JSON.parse(text) as LockFile, "packages/cli", packages)) as Shrinkwrap;
  const places = Object.keys(written.packages);
  expect(places).toEqual(expect.arrayContaining(["node_modules/@vipscore/core", "node_modules/viem"]));
  expect(places.filter((place) => /hardhat|duckdb|better-sqlite3|anvil/.test(place))).toEqual([]);
  const { name, packages: all } = written;
  const folder = mkdtempSync(join(tmpdir(), "vipscore-shrinkwrap-"));
  try {
    writeFileSync(join(folder, "npm-shrinkwrap.json"), JSON.stringify(written));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ ...all[""], name }));
    // npm fails if a dependency is missing, or has a version that its dependent does not take.
    const listed = execFileSync("npm", ["ls", "--package-lock-only", "--all", "--json"], { cwd: folder });
    expect(JSON.parse(listed.toString())).not.toHaveProperty("problems");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
