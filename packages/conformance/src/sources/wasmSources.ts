import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { InputError, readFileBytes, readFileText } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import type { Construction } from "./construction.ts";
import { crateFiles, storageKeys } from "./vipScoreCrate.generated.ts";

/** What `cargo metadata` says of a crate. */
interface Crate {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The registry or repository that it comes from; null for a folder. */
  readonly source: string | null;
  readonly manifest_path: string;
  readonly targets: readonly { readonly kind: readonly string[]; readonly src_path: string }[];
}

interface Metadata {
  readonly packages: readonly Crate[];
  readonly resolve: { readonly root: string | null; readonly nodes: readonly Node[] };
}

interface Node {
  readonly id: string;
  readonly deps: readonly { readonly pkg: string; readonly dep_kinds: readonly { readonly kind: string | null }[] }[];
}

const cratesIo = "registry+https://github.com/rust-lang/crates.io-index";

/** Storage, and what can reach it or other code in ways that a reader of lines does not see. */
const storageUse = /\b(?:\w*[sS]torage\w*|db_(?:write|remove)|unsafe|extern|include)\b|#\[path\b/;

/**
 * Checks that a contract links the crate `vip-score` as published, and lists the lines of its own that touch storage. Less than a
 * proof: all code of a Wasm contract can write all of its storage.
 *
 * @param folder - The folder of the contract's `Cargo.toml`.
 * @throws InputError if there is nothing to check: cargo cannot read the folder, or the contract does not link `vip-score`.
 */
export async function checkWasmSources(folder: string): Promise<Construction> {
  const metadata = await readMetadata(folder);
  const linked = linkedFrom(metadata, metadata.resolve.root ?? "");
  const ours = linked.filter(({ name }) => name === "vip-score");
  if (ours.length === 0) {
    throw new InputError(`the contract in ${folder} does not link the crate vip-score: there is nothing to check`, {
      metaMessages: ["Give the folder of the contract's Cargo.toml."],
    });
  }
  const belowOurs = new Set(ours.flatMap(({ id }) => linkedFrom(metadata, id)));
  const elsewhere = linked.filter(({ source }) => source !== cratesIo);
  const own = elsewhere.filter((crate) => crate.source === null && !belowOurs.has(crate));
  const foreign = elsewhere.filter((crate) => !ours.includes(crate) && !own.includes(crate));
  const changed = (await Promise.all(ours.map(changesIn))).flat();
  const lines = (await Promise.all(own.map((crate) => linesOf(crate, folder)))).flat();
  const crates = linked.length - elsewhere.length;
  return {
    holds: false,
    restsOn: [
      ...(changed.length > 0
        ? []
        : [`${count(Object.keys(crateFiles).length, "file")} of vip-score are the published ones, by sha256`]),
      `${count(crates, "crate")} of crates.io that it links, checked by Cargo.lock: not read`,
      `lines that touch storage were looked for in ${own.map(({ name }) => name).join(", ") || "no crate of its own"}`,
    ],
    toRead: [
      "less than a proof on Wasm: all code of a contract can write all of its storage",
      "whether these sources compile to the artifact: build it yourself",
      ...changed,
      ...foreign.map(({ name, version, source }) => `${name} ${version}: from ${source ?? "a folder"}, not crates.io`),
      ...own.flatMap(({ name, targets }) => (hasBuildScript(targets) ? [`${name}: has a build script`] : [])),
      ...lines,
    ],
  };
}

async function readMetadata(folder: string): Promise<Metadata> {
  const args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", "wasm32-unknown-unknown"];
  try {
    const { stdout } = await promisify(execFile)("cargo", args, { cwd: folder, maxBuffer: 2 ** 28 });
    return JSON.parse(stdout) as Metadata;
  } catch (cause) {
    const { stderr = "", message } = cause as { readonly stderr?: string; readonly message: string };
    throw new InputError(`cargo cannot read the contract in ${folder}`, {
      metaMessages: [stderr.trim() || message, "Needs cargo, Cargo.toml, and a Cargo.lock that is up to date."],
      cause,
    });
  }
}

/** Returns a crate and all that it links, directly or not. */
function linkedFrom({ packages, resolve }: Metadata, id: string): readonly Crate[] {
  const found = new Set([id]);
  for (const one of found) {
    const { deps = [] } = resolve.nodes.find((node) => node.id === one) ?? {};
    const linked = deps.filter(({ dep_kinds: kinds }) => kinds.some(({ kind }) => kind === null));
    for (const { pkg } of linked) found.add(pkg);
  }
  return packages.filter((crate) => found.has(crate.id));
}

/** Returns a line for each file that is not the published one of `vip-score`. */
async function changesIn({ manifest_path: manifest, targets }: Crate): Promise<readonly string[]> {
  const folder = dirname(manifest);
  const files = new Set([...Object.keys(crateFiles), ...(await filesBelow(join(folder, "src"), folder))]);
  const changed = hasBuildScript(targets) ? ["vip-score: has a build script"] : [];
  for (const file of [...files].toSorted()) {
    const content = await readFileBytes(join(folder, file), file).catch(() => "");
    const sha256 = createHash("sha256").update(content).digest("hex");
    if (sha256 !== crateFiles[file]) changed.push(`vip-score: ${file} is not the published one`);
  }
  return changed;
}

/** Returns a line for each line of a crate's sources that touches storage or names a key of `vip-score`. */
async function linesOf({ targets }: Crate, folder: string): Promise<readonly string[]> {
  const roots = targets.filter(({ kind }) => kind.some((one) => /lib$|^proc-macro$/.test(one)));
  const found: string[] = [];
  for (const root of new Set(roots.map(({ src_path: path }) => dirname(path)))) {
    for (const file of await filesBelow(root, folder)) {
      const lines = (await readFileText(join(folder, file), file)).split("\n").map((line) => line.trim());
      for (const [index, line] of lines.entries()) {
        const key = storageKeys.find((one) => line.includes(`"${one}"`));
        const reason = key === undefined ? "touches storage" : `names a key of vip-score, "${key}"`;
        const isRead = !line.startsWith("//") && (key !== undefined || storageUse.test(line));
        if (isRead) found.push(`${file}:${index + 1}: ${reason}: ${line}`);
      }
    }
  }
  return found;
}

function hasBuildScript(targets: Crate["targets"]): boolean {
  return targets.some(({ kind }) => kind.includes("custom-build"));
}

/** The Rust files in a folder and below, relative to another folder. */
async function filesBelow(root: string, folder: string): Promise<readonly string[]> {
  const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".rs"));
  return names.toSorted().map((name) => relative(folder, join(root, name)));
}
