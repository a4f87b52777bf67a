import { readFile } from "node:fs/promises";
import { lockFaults } from "./supply/lockFaults.ts";
import { registryFolders, type LockFile } from "./supply/lockFile.ts";

/** Not every mirror of npm has these, in any version. Only tests need anvil; a local EVM chain is Hardhat's unless asked otherwise. */
const withoutDigest: readonly string[] = [
  "@foundry-rs/anvil-darwin-amd64",
  "@foundry-rs/anvil-darwin-arm64",
  "@foundry-rs/anvil-linux-arm64",
  "@foundry-rs/anvil-win32-amd64",
];

const lock = JSON.parse(await readFile("package-lock.json", "utf8")) as LockFile;
const faults = lockFaults(lock, withoutDigest);
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(
    "package-lock.json lacks a platform or a digest: take versions whose packages resolve for all platforms",
  );
  process.exit(1);
}
const held = registryFolders(lock).length - withoutDigest.length;
console.log(
  `${held} packages of package-lock.json have a digest, for every platform; ${withoutDigest.length} are exceptions`,
);
