import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { outdatedPackages } from "./outdatedPackages.mjs";

/** Returns the outdated packages of a folder with this lock file and nothing installed. */
async function missing(packages: object, workspace?: string): Promise<readonly string[]> {
  const root = await mkdtemp(join(tmpdir(), "vipscore-lock-"));
  onTestFinished(() => rm(root, { recursive: true }));
  await writeFile(join(root, "package-lock.json"), JSON.stringify({ packages }));
  await mkdir(join(root, "node_modules"));
  return outdatedPackages(root, workspace).toSorted();
}

test("packages are found as Node resolves them: the nearest folder first", async () => {
  const packages = {
    "packages/a": { dependencies: { b: "1" } },
    "node_modules/b": { version: "1.0.0", dependencies: { c: "2" } },
    "node_modules/b/node_modules/c": { version: "2.0.0", dependencies: { d: "1" } },
    "node_modules/c": { version: "1.0.0" },
    "node_modules/d": { version: "1.0.0" },
  };
  expect(await missing(packages, "packages/a")).toEqual([
    "node_modules/b",
    "node_modules/b/node_modules/c",
    "node_modules/d",
  ]);
});

test("a workspace that another one needs is followed, without its development packages", async () => {
  const packages = {
    "packages/a": { dependencies: { own: "1" }, devDependencies: { tool: "1" } },
    "node_modules/own": { resolved: "packages/own", link: true },
    "packages/own": { version: "1.0.0", dependencies: { b: "1" }, devDependencies: { tool: "1" } },
    "node_modules/b": { version: "1.0.0" },
    "node_modules/tool": { version: "1.0.0" },
  };
  expect(await missing(packages, "packages/a")).toEqual(["node_modules/b", "node_modules/own"]);
  expect(await missing(packages)).toContain("node_modules/tool");
});

test("of optional packages, those of this platform are needed", async () => {
  const other = process.platform === "linux" ? "darwin" : "linux";
  const packages = {
    "packages/a": { optionalDependencies: { ours: "1", theirs: "1", any: "1", notOurs: "1" } },
    "node_modules/ours": { version: "1.0.0", os: [process.platform], cpu: [process.arch] },
    "node_modules/theirs": { version: "1.0.0", os: [other] },
    "node_modules/any": { version: "1.0.0" },
    "node_modules/notOurs": { version: "1.0.0", os: [`!${process.platform}`] },
  };
  expect(await missing(packages, "packages/a")).toEqual(["node_modules/ours"]);
});

test("a folder without a lock file is an error", () => {
  expect(() => outdatedPackages(tmpdir(), undefined)).toThrow(Error);
});
