import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { listName, sha256Of, type PackedPackage } from "./packedRelease.ts";
import { addPrebuilt, findPrebuilt } from "./prebuilt/prebuiltTarballs.ts";
import { publishedManifest } from "./publishedManifest.ts";
import { publishOrder, type Manifest } from "./publishOrder.ts";
import { releaseSbom } from "./releaseSbom.ts";
import { npmOutput } from "./runNpm.ts";
import { shrinkwrap, type LockFile } from "./shrinkwrap.ts";

/**
 * `packRelease.ts <folder>` packs every public package of the workspace below the current folder, as the release that
 * `GITHUB_REF_NAME` tags, and writes the list of them and an SBOM with their dependencies beside the tarballs. A package whose
 * `files` name npm-shrinkwrap.json gets one, so that it is installed with the versions and digests of the workspace's lock file.
 *
 * Tarballs of packPrebuilt.ts that are in the folder are part of the release, as optional dependencies of localnet.
 *
 * Each package gets the license, and the address of `GITHUB_REPOSITORY`: npm accepts a provenance statement only from the
 * repository that the package names.
 */
const [target = ""] = process.argv.slice(2);
const { GITHUB_REF_NAME: tag = "", GITHUB_REPOSITORY: repository = "" } = process.env;
if (target === "" || tag === "" || repository === "")
  throw new Error("usage: GITHUB_REF_NAME=v1.2.3 GITHUB_REPOSITORY=owner/name packRelease.ts <folder>");
const folder = resolve(target);
const shrinkwrapName = "npm-shrinkwrap.json";
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
const packages = addPrebuilt(workspace, prebuilt);

const ordered = publishOrder(packages);
for (const { path, manifest } of ordered) {
  const source = { type: "git", url: `git+https://github.com/${repository}.git`, directory: path };
  const published = { ...publishedManifest(manifest), repository: source };
  writeFileSync(join(path, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  copyFileSync("LICENSE", join(path, "LICENSE"));
}
const isShrinkwrapped = ({ manifest }: { readonly manifest: Manifest }): boolean =>
  manifest.files?.includes(shrinkwrapName) === true;
const tarballs = new Map<string, Tarball>();
pack(ordered.filter((each) => !isShrinkwrapped(each)).map(({ path }) => path));
// A shrinkwrap has the digests of the packages that its own one depends on.
for (const { path } of ordered.filter(isShrinkwrapped)) packShrinkwrapped(path);
const packed = ordered.map(({ path, manifest: { name, version } }): PackedPackage => {
  const tarball = tarballs.get(name);
  if (tarball === undefined) throw new Error(`npm pack produced nothing for ${path}`);
  return { name, version, file: tarball.filename, sha256: sha256Of(join(folder, tarball.filename)) };
});
const list = [...prebuilt, ...packed];
writeFileSync(join(folder, listName), `${JSON.stringify(list, null, 2)}\n`);
writeFileSync(join(folder, "sbom.cdx.json"), releaseSbom(folder, packed, prebuilt));
for (const { name, version, sha256 } of list) console.log(`${sha256}  ${name}@${version}`);

interface Tarball {
  readonly name: string;
  readonly filename: string;
  /** SHA-512, as npm writes it. */
  readonly integrity: string;
}

/** Packs folders in one run of npm, which takes half a second of CPU time to start. */
function pack(paths: readonly string[]): void {
  if (paths.length === 0) return;
  const output = npmOutput(["pack", "--json", "--pack-destination", folder, ...paths.map((path) => `./${path}`)], ".");
  for (const tarball of JSON.parse(output) as readonly Tarball[]) tarballs.set(tarball.name, tarball);
}

function packShrinkwrapped(path: string): void {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as LockFile;
  const own = packages.map((each) => ({
    path: each.path,
    manifest: each.manifest,
    integrity: tarballs.get(each.manifest.name)?.integrity,
  }));
  const file = join(path, shrinkwrapName);
  writeFileSync(file, shrinkwrap(lock, path, own));
  try {
    pack([path]);
  } finally {
    // npm would take it for the lock file of later installations.
    rmSync(file);
  }
}
