import { dirname, relative } from "node:path";
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
