import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix, resolve } from "node:path";
import { listName, sha256Of, type Manifest, type PackedPackage } from "./packedRelease.ts";
import { addPrebuilt, findPrebuilt } from "./prebuilt/prebuiltTarballs.ts";
import { runProgram } from "./runProgram.ts";

/**
 * `packRelease.ts <folder>` packs every public package of the workspace below the current folder, as the release that
 * `GITHUB_REF_NAME` tags, and writes the list of them and an SBOM with their dependencies beside the tarballs.
 *
 * Tarballs of packPrebuilt.ts that are in the folder are part of the release, as optional dependencies of localnet.
 *
 * Each package gets the license, and the address of `GITHUB_REPOSITORY`: npm accepts a provenance statement only from the
 * repository that the package names. Links of its documents that lead out of it become addresses there, too.
 */
const [target = ""] = process.argv.slice(2);
const { GITHUB_REF_NAME: tag = "", GITHUB_REPOSITORY: repository = "" } = process.env;
if (target === "" || tag === "" || repository === "")
  throw new Error("usage: GITHUB_REF_NAME=v1.2.3 GITHUB_REPOSITORY=owner/name packRelease.ts <folder>");
const folder = resolve(target);
mkdirSync(folder, { recursive: true });

const workspace = ["contracts", "packages"]
  .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)))
  .map((path) => ({ path, manifest: JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest }))
  .filter(({ manifest }) => manifest.private !== true);
const others = workspace.filter(({ manifest }) => `v${manifest.version}` !== tag);
if (others.length > 0) {
  const versions = others.map(({ manifest }) => `${manifest.name}@${manifest.version}`);
  throw new Error(`the tag is ${tag}, but the workspace holds ${versions.join(", ")}`);
}

const prebuilt = findPrebuilt(folder, tag.slice(1));
const ordered = publishOrder(addPrebuilt(workspace, prebuilt));
// Fields that only this repository uses: its scripts, its tools and their settings.
const ownFields = new Set(["scripts", "devDependencies", "nx", "size-limit"]);
for (const { path, manifest } of ordered) {
  const kept = Object.fromEntries(Object.entries(manifest).filter(([field]) => !ownFields.has(field)));
  const source = { type: "git", url: `git+https://github.com/${repository}.git`, directory: path };
  writeFileSync(join(path, "package.json"), `${JSON.stringify({ ...kept, repository: source }, null, 2)}\n`);
  copyFileSync("LICENSE", join(path, "LICENSE"));
  for (const document of readdirSync(path).filter((name) => name.endsWith(".md"))) {
    const text = readFileSync(join(path, document), "utf8");
    const address = (link: string) => `https://github.com/${repository}/blob/${tag}/${posix.join(path, link)}`;
    writeFileSync(join(path, document), text.replace(/(?<=\]\()\.\.\/[^)\s]+/g, address));
  }
}
// One run of npm, which takes half a second of CPU time to start.
const paths = ordered.map(({ path }) => `./${path}`);
const output = await runProgram("npm", ["pack", "--json", "--pack-destination", folder, ...paths], ".");
const files = new Map(
  (JSON.parse(output) as readonly { name: string; filename: string }[]).map(({ name, filename }) => [name, filename]),
);
const packed = ordered.map(({ path, manifest: { name, version } }): PackedPackage => {
  const file = files.get(name);
  if (file === undefined) throw new Error(`npm pack produced nothing for ${path}`);
  return { name, version, file, sha256: sha256Of(join(folder, file)) };
});
const list = [...prebuilt, ...packed];
writeFileSync(join(folder, listName), `${JSON.stringify(list, null, 2)}\n`);
writeFileSync(join(folder, "sbom.cdx.json"), await releaseSbom(packed));
for (const { name, version, sha256 } of list) console.log(`${sha256}  ${name}@${version}`);

/**
 * Sorts packages so that each comes after those it depends on: at no time does the registry hold a package whose
 * dependencies are missing.
 */
function publishOrder<T extends { readonly manifest: Manifest }>(packages: readonly T[]): readonly T[] {
  const left = new Map(packages.map((each) => [each.manifest.name, each]));
  const sorted: T[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ manifest }) => {
      const needed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
      return !needed.some((name) => left.has(name));
    });
    if (ready.length === 0) throw new Error(`packages depend on each other: ${[...left.keys()].join(", ")}`);
    for (const each of ready) left.delete(each.manifest.name);
    sorted.push(...ready);
  }
  return sorted;
}

/** The part of a CycloneDX file that names files of this machine. */
interface Sbom {
  readonly metadata: { readonly component: { name: string } };
  readonly components: readonly { readonly externalReferences: readonly { url: string }[] }[];
}

/**
 * Returns an SBOM (CycloneDX) of a release: its packages and what a user installs with them, not what the workspace holds. Each
 * of the packages refers to its tarball by its name beside the SBOM. Prebuilt packages of other platforms cannot be installed
 * here.
 */
async function releaseSbom(packages: readonly PackedPackage[]): Promise<string> {
  const fileOf = ({ name, file }: PackedPackage) => [name, `file:${join(folder, file)}`] as const;
  const project = {
    name: "vipscore-release",
    version: packages[0]?.version,
    private: true,
    dependencies: Object.fromEntries(packages.map(fileOf)),
    optionalDependencies: Object.fromEntries(prebuilt.map(fileOf)),
  };
  const empty = mkdtempSync(join(tmpdir(), "vipscore-sbom-"));
  try {
    writeFileSync(join(empty, "package.json"), JSON.stringify(project));
    await runProgram("npm", ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"], empty);
    const sbom = JSON.parse(
      await runProgram("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], empty),
    ) as Sbom;
    // npm names the project after its folder.
    sbom.metadata.component.name = project.name;
    const names = new Map([...packages, ...prebuilt].map(({ file }) => [`file:${join(folder, file)}`, file]));
    for (const reference of sbom.components.flatMap(({ externalReferences }) => externalReferences)) {
      reference.url = names.get(reference.url) ?? reference.url;
    }
    return `${JSON.stringify(sbom, null, 2)}\n`;
  } finally {
    rmSync(empty, { recursive: true });
  }
}
