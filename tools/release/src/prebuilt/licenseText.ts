import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { runProgram } from "../runProgram.ts";

/** A Go module that the programs are linked from. */
export interface GoModule {
  readonly path: string;
  readonly version: string;
  /** Its folder in the module cache. */
  readonly folder: string;
  /** The folders below it, itself included, that lead to a linked package: their licenses apply. */
  readonly folders: readonly string[];
}

/** Lists the modules of other authors that the programs of a Go module are linked from, sorted by path. */
export async function listGoModules(sources: string): Promise<readonly GoModule[]> {
  // A module that is replaced by a folder of this repository is ours.
  const isOurs = '(or .Main (and .Replace (eq .Replace.Version "")))';
  const name = "{{.Path}}\t{{.Version}}";
  const fields = `{{with .Replace}}${name}{{else}}${name}{{end}}\t{{.Dir}}\t{{$.Dir}}`;
  const template = `{{with .Module}}{{if not ${isOurs}}}${fields}{{end}}{{end}}`;
  const listed = await runProgram("go", ["list", "-deps", "-f", template, "./cmd/..."], sources);
  const modules = new Map<string, GoModule & { readonly folders: string[] }>();
  for (const line of listed.split("\n").filter((each) => each !== "")) {
    const [path = "", version = "", folder = "", used = ""] = line.split("\t");
    const found = modules.get(path) ?? { path, version, folder, folders: [] };
    modules.set(path, found);
    for (const each of foldersBetween(folder, used)) if (!found.folders.includes(each)) found.folders.push(each);
  }
  return [...modules.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The module's folder and those on the way to a package in it. */
function foldersBetween(top: string, folder: string): readonly string[] {
  return relative(top, folder) === "" ? [top] : [...foldersBetween(top, dirname(folder)), folder];
}

/** Files that a copy of a module has to come with. */
const noticeFile = /^(licen[cs]e|copying|copyright|notice|patents|unlicense)/i;

const moveVm = "github.com/initia-labs/movevm";

/** The lists of crates that the VMs' libraries are built from, by module. */
const crateLists: Readonly<Record<string, string>> = {
  [moveVm]: "Cargo.lock",
  "github.com/CosmWasm/wasmvm/v2": "libwasmvm/Cargo.lock",
};

/**
 * Returns the text of LICENSE.md: movevm's license first, then those of this repository, of Go and of every linked module.
 *
 * @param license The license of this repository.
 * @param goFolder The folder of Go.
 * @throws Error naming a module without a license file.
 */
export function licenseText(license: string, goFolder: string, modules: readonly GoModule[]): string {
  const others = modules.filter(({ path }) => path !== moveVm);
  const notices = [{ name: "Go", texts: readNotices(goFolder) }, ...others.map(noticesOf)];
  return [
    "# Licenses",
    "",
    "**vipnode-move, libmovevm and libcompiler are under the Business Source License 1.1: for development and tests, not for",
    "production.** vipnode-wasm and libwasmvm contain nothing of movevm.",
    "",
    "vipnode-wasm contains go-ethereum, which is under the GNU Lesser General Public License 3.0. The sources of the programs are",
    "in `tools/vipnode` of vipscore, and build with any version of a module. The sources of each module are at its path and",
    "version.",
    "",
    "## movevm",
    "",
    ...modules.filter(({ path }) => path === moveVm).flatMap((module) => noticesOf(module).texts.flatMap(quoted)),
    "## vipscore",
    "",
    ...quoted(license),
    "## Go and the Go modules that the programs contain",
    "",
    ...groupByText(notices).flatMap(({ names, text }) =>
      [names.map((name) => `- ${name}`).join("\n"), ""].concat(quoted(text)),
    ),
    "## Rust crates",
    "",
    "The authors of movevm and wasmvm build the libraries and publish them without the crates' license files. These are the",
    "crates in their lock files:",
    "",
    ...modules.flatMap(cratesOf),
  ].join("\n");
}

interface Notices {
  readonly name: string;
  readonly texts: readonly string[];
}

function noticesOf({ path, version, folders }: GoModule): Notices {
  const texts = folders.flatMap(readNotices);
  const found = texts.length === 0 ? folders.flatMap(readHeaders) : texts;
  if (found.length === 0) throw new Error(`${path} names no license`);
  return { name: `${path} ${version}`, texts: found };
}

/** The copyright and the license expression in the sources of a module without a license file. */
function readHeaders(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".go"));
  return files.flatMap((name) => {
    const [header] =
      /^(?:\/\/ .*\n)*\/\/ SPDX-License-Identifier: .*/.exec(readFileSync(join(folder, name), "utf8")) ?? [];
    return header === undefined ? [] : [header.replaceAll(/^\/\/ /gm, "")];
  });
}

function readNotices(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && noticeFile.test(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), "utf8").replaceAll("\r", "").trim());
}

/** Many modules have the same text. */
function groupByText(all: readonly Notices[]): readonly { readonly names: readonly string[]; readonly text: string }[] {
  const groups = new Map<string, { readonly names: string[]; readonly text: string }>();
  for (const { name, texts } of all) {
    for (const text of new Set(texts)) {
      const key = text.replaceAll(/\s+/g, " ");
      const group = groups.get(key) ?? { names: [], text };
      groups.set(key, group);
      group.names.push(name);
    }
  }
  return [...groups.values()];
}

function cratesOf({ path, version, folder }: GoModule): readonly string[] {
  const list = crateLists[path];
  if (list === undefined) return [];
  const lock = readFileSync(join(folder, list), "utf8");
  const crates = [...lock.matchAll(/^name = "(.+)"\nversion = "(.+)"$/gm)].map(([, name, of]) => `${name} ${of}`);
  return [`${path} ${version}:`, "", ...quoted(crates.join(", "))];
}

/** A block in Markdown that shows a text as it is. */
function quoted(text: string): readonly string[] {
  return ["~~~~text", text.replaceAll("~~~~", "~~~"), "~~~~", ""];
}
