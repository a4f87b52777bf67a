import { execFileSync } from "node:child_process";
import { isAllowedLicense } from "./allowedLicenses.ts";

/** The crates of the CosmWasm contract. */
const manifest = "contracts/wasm/Cargo.toml";

interface CargoPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string | null;
  /** Null for a crate of this repository. */
  readonly source: string | null;
}

const args = ["metadata", "--format-version", "1", "--locked", "--manifest-path", manifest];
const metadata = execFileSync("cargo", args, {
  encoding: "utf8",
  maxBuffer: 2 ** 26,
  stdio: ["ignore", "pipe", "inherit"],
});
const { packages } = JSON.parse(metadata) as { readonly packages: readonly CargoPackage[] };
const crates = packages.filter(({ source }) => source !== null);
const refused = crates.filter(({ license }) => license === null || !isAllowedLicense(license));
for (const { name, version, license } of refused) console.error(`${name} ${version}: ${license ?? "no license"}`);
if (refused.length > 0) {
  console.error(`${refused.length} crates have a license that is not allowed`);
  process.exit(1);
}
console.log(`licenses of ${crates.length} crates are allowed`);
