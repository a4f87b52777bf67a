import { readFile } from "node:fs/promises";

/** What an operator's installation may contain. */
const allowed = new Set(["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "0BSD", "CC0-1.0", "Unlicense"]);

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
const refused = shipped.filter(([, { license }]) => license === undefined || !isAllowed(license));
for (const [path, { license }] of refused)
  console.error(`${path.slice("node_modules/".length)}: ${license ?? "no licence"}`);
if (refused.length > 0) {
  console.error(`${refused.length} packages of an installation have a licence that is not allowed`);
  process.exit(1);
}
console.log(`licences of ${shipped.length} packages are allowed`);

/** Understands a single identifier, `(A OR B)` and `(A AND B)`. */
function isAllowed(license: string): boolean {
  return license
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((alternative) => alternative.split(" AND ").every((identifier) => allowed.has(identifier.trim())));
}
