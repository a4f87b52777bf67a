import { expect, it } from "vitest";
import { lockFaults } from "./lockFaults.ts";
import type { LockEntry, LockFile } from "./lockFile.ts";

const digest = { integrity: "sha512-AAAA" };
const native = (os: string, cpu: string, libc?: string): LockEntry => ({
  ...digest,
  optional: true,
  os: [os],
  cpu: [cpu],
  ...(libc !== undefined && { libc: [libc] }),
});

/** A package with an optional dependency for each platform. */
const whole: LockFile["packages"] = {
  "": { version: "1.0.0" },
  "packages/own": { version: "1.0.0" },
  "node_modules/own": { link: true, resolved: "packages/own" },
  "node_modules/db": {
    ...digest,
    optionalDependencies: { "@db/glibc": "1", "@db/musl": "1", "@db/arm": "1", "@db/mac": "1", "@db/mac-arm": "1" },
  },
  "node_modules/@db/glibc": native("linux", "x64", "glibc"),
  "node_modules/@db/musl": native("linux", "x64", "musl"),
  "node_modules/@db/arm": native("linux", "arm64"),
  "node_modules/@db/mac": native("darwin", "x64"),
  "node_modules/@db/mac-arm": native("darwin", "arm64"),
};

const without = (...folders: readonly string[]): LockFile => ({
  packages: Object.fromEntries(Object.entries(whole).filter(([folder]) => !folders.includes(folder))),
});

it("accepts a lock file with the digests of all platforms", () => {
  expect(lockFaults({ packages: whole }, [])).toEqual([]);
});

it("names a platform that is not in the lock file", () => {
  expect(lockFaults(without("node_modules/@db/mac-arm", "node_modules/@db/arm"), [])).toEqual([
    "node_modules/db has no optional dependency for linux-arm64",
    "node_modules/db has no optional dependency for darwin-arm64",
  ]);
});

it("takes musl for another platform than glibc", () => {
  expect(lockFaults(without("node_modules/@db/glibc"), [])).toEqual([
    "node_modules/db has no optional dependency for linux-x64",
  ]);
});

it("looks for the optional dependencies of each place where a package is installed", () => {
  const above = "node_modules/site/node_modules";
  const packages = {
    ...whole,
    [`${above}/db`]: { ...digest, optionalDependencies: { "@db/old": "0", "@db/mac-arm": "0" } },
    [`${above}/@db/old`]: { ...native("linux", "x64"), cpu: ["x64", "arm64"] },
    [`${above}/@db/mac-arm`]: native("darwin", "arm64"),
  };
  expect(lockFaults({ packages }, [])).toEqual([`${above}/db has no optional dependency for darwin-x64`]);
});

it("expects no other platform of a package for one operating system", () => {
  const packages = {
    "node_modules/watcher": { ...digest, optionalDependencies: { events: "1" } },
    "node_modules/events": { ...digest, optional: true, os: ["darwin"] },
  };
  expect(lockFaults({ packages }, [])).toEqual([]);
});

it.each([undefined, "sha1-AAAA"])("refuses the digest %s, but for an exception", (integrity) => {
  const entry = { version: "1.0.0", ...(integrity !== undefined && { integrity }) };
  const packages = { ...whole, "node_modules/a/node_modules/@b/c": entry };
  expect(lockFaults({ packages }, [])).toEqual(["node_modules/a/node_modules/@b/c has no SHA-512 digest"]);
  expect(lockFaults({ packages }, ["@b/c"])).toEqual([]);
});

it("names an exception that is not needed", () => {
  expect(lockFaults({ packages: whole }, ["db"])).toEqual([
    "db may lack a digest, but does not: remove it from the exceptions",
  ]);
});
