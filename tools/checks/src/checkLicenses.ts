import { readFile } from "node:fs/promises";
import { isAllowedLicense } from "./allowedLicenses.ts";

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
}

const lock = JSON.parse(await readFile("package-lock.json", "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const shipped = Object.entries(lock.packages).filter(
  ([path, locked]) => path.startsWith("node_modules/") && locked.dev !== true && locked.link !== true,
);
const refused = shipped.filter(([, { license }]) => license === undefined || !isAllowedLicense(license));
for (const [path, { license }] of refused)
  console.error(`${path.slice("node_modules/".length)}: ${license ?? "no license"}`);
if (refused.length > 0) {
  console.error(`${refused.length} packages of an installation have a license that is not allowed`);
  process.exit(1);
}
console.log(`licenses of ${shipped.length} packages are allowed`);
