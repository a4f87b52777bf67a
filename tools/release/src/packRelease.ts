import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { listName, sha256Of, type PackedPackage } from "./packedRelease.ts";
import { publishOrder, type Manifest } from "./publishOrder.ts";
import { runNpm } from "./runNpm.ts";

/**
 * `packRelease.ts <folder>` packs every public package of the workspace below the current folder, as the release that
 * `GITHUB_REF_NAME` tags, and writes the list of them and an SBOM with their dependencies beside the tarballs.
 *
 * Each package gets the address of `GITHUB_REPOSITORY`: npm accepts a provenance statement only from the repository that the
 * package names.
 */
const [target = ""] = process.argv.slice(2);
const { GITHUB_REF_NAME: tag = "", GITHUB_REPOSITORY: repository = "" } = process.env;
if (target === "" || tag === "" || repository === "")
  throw new Error("usage: GITHUB_REF_NAME=v1.2.3 GITHUB_REPOSITORY=owner/name packRelease.ts <folder>");
const folder = resolve(target);
mkdirSync(folder);

const packages = readdirSync("packages")
  .map((name) => ({
    path: join("packages", name),
    manifest: JSON.parse(readFileSync(join("packages", name, "package.json"), "utf8")) as Manifest,
  }))
  .filter(({ manifest }) => manifest.private !== true);
const others = packages.filter(({ manifest }) => `v${manifest.version}` !== tag);
if (others.length > 0) {
  const versions = others.map(({ manifest }) => `${manifest.name}@${manifest.version}`);
  throw new Error(`the tag is ${tag}, but the workspace holds ${versions.join(", ")}`);
}

const list = publishOrder(packages).map(({ path, manifest }): PackedPackage => {
  const source = { type: "git", url: `git+https://github.com/${repository}.git`, directory: path };
  writeFileSync(join(path, "package.json"), `${JSON.stringify({ ...manifest, repository: source }, null, 2)}\n`);
  const [packed] = JSON.parse(npm(["pack", "--json", "--pack-destination", folder], path)) as readonly {
    readonly filename: string;
  }[];
  if (packed === undefined) throw new Error(`npm pack produced nothing for ${path}`);
  const { name, version } = manifest;
  return { name, version, file: packed.filename, sha256: sha256Of(join(folder, packed.filename)) };
});
writeFileSync(join(folder, listName), `${JSON.stringify(list, null, 2)}\n`);
writeFileSync(join(folder, "sbom.cdx.json"), sbomOf(list.map(({ file }) => join(folder, file))));
for (const { name, version, sha256 } of list) console.log(`${sha256}  ${name}@${version}`);

/** Resolves the tarballs in an empty project: the SBOM lists what a user installs, not what the workspace holds. */
function sbomOf(tarballs: readonly string[]): string {
  const project = { name: "vipscore-release", version: tag.slice(1), private: true };
  const empty = mkdtempSync(join(tmpdir(), "vipscore-sbom-"));
  try {
    writeFileSync(join(empty, "package.json"), JSON.stringify(project));
    npm(["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund", ...tarballs], empty);
    return npm(["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], empty);
  } finally {
    rmSync(empty, { recursive: true });
  }
}

function npm(args: readonly string[], cwd: string): string {
  const { status, stdout } = runNpm(args, cwd);
  if (status !== 0) throw new Error(`npm ${args[0]} ended with status ${status}`);
  return stdout;
}
