import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { listFiles } from "../listFiles.ts";
import { readMarkdownFiles } from "./markdownFile.ts";

/** A command of npm, npx or Nx in a code block of a Markdown file. */
export interface NpmCommand {
  /** The file. */
  readonly place: string;
  /** Such as `npm run -w tools/site dev`. */
  readonly line: string;
}

/** The parts of a package in this repository that commands can name. */
interface Workspace {
  readonly folder: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly hasProgram: boolean;
  readonly scripts: ReadonlySet<string>;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly bin?: object;
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly scripts?: object;
  readonly nx?: { readonly targets?: object };
}

/** Lists the commands of npm, npx and Nx in the code blocks of all Markdown files below a folder. */
export function listNpmCommands(root: string): readonly NpmCommand[] {
  return readMarkdownFiles(root).flatMap(({ path, blocks }) =>
    blocks
      .filter(({ language }) => language === "" || language === "sh")
      .flatMap(({ text }) => text.split("\n"))
      .flatMap((line) => line.replace(/ +# .*/, "").match(/\bnp[mx] [^&"`]*/g) ?? [])
      .map((line) => ({ place: path, line: line.trim() })),
  );
}

/**
 * Lists every `npx` command in what people read: documentation, and the texts of the sources that become messages, posts and
 * pages. Anyone who copies one runs the package that npm has under that name.
 */
export function listNpxCommands(root: string): readonly NpmCommand[] {
  return listFiles(root, [".html", ".js", ".md", ".mjs", ".toml", ".ts"])
    .filter((path) => !/^tools\/(checks|site)\/test\//.test(path))
    .flatMap((place) => {
      const lines = readFileSync(join(root, place), "utf8").match(/\bnpx [-@a-z][^&"`\n]*/g) ?? [];
      return lines.map((line) => ({ place, line: line.replace(/ +# .*/, "").trim() }));
    });
}

/** Returns a line for each `npx` command that names a package which is neither ours nor a dependency of ours. */
export function npxPackageFaults(commands: readonly NpmCommand[], root: string): readonly string[] {
  const known = new Set(
    listFiles(root, [".json"])
      .filter((path) => basename(path) === "package.json")
      .map((path) => JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest)
      .flatMap(({ name, dependencies = {}, devDependencies = {} }) => [
        name,
        ...Object.keys({ ...dependencies, ...devDependencies }),
      ]),
  );
  return commands.flatMap(({ place, line }) => {
    const words = line.split(/\s+/).slice(1);
    const packages = words.filter((_, index) => words[index - 1] === "-p");
    // With -p, the program comes from one of the packages that it names.
    const named = packages.length === 0 ? words.filter((word) => !word.startsWith("-")).slice(0, 1) : packages;
    const foreign = named.find((name) => !known.has(name.replace(/(?<=.)@.*/, "")));
    return foreign === undefined ? [] : [`${place}  ${line}: ${foreign} is not a package of ours`];
  });
}

/** Returns a line for each command that names a script, a target or a package that this repository does not have. */
export function npmCommandFaults(commands: readonly NpmCommand[], root: string): readonly string[] {
  const workspaces = listFiles(root, [".json"])
    .filter((path) => basename(path) === "package.json" && !path.startsWith("tools/release/projects/"))
    .map((path) => readWorkspace(root, path));
  return commands.flatMap(({ place, line }) => {
    // What `vipscore new` copies is a project of its own.
    const project = workspaces.find(({ folder, name }) => folder === dirname(place) && !/^@?vipscore\b/.test(name));
    const fault = faultOf(line.split(/\s+/), workspaces, project?.folder);
    return fault === undefined ? [] : [`${place}  ${line}: ${fault}`];
  });
}

function readWorkspace(root: string, path: string): Workspace {
  const manifest = JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest;
  const folder = dirname(path);
  return {
    folder,
    name: manifest.name,
    isPrivate: manifest.private === true,
    hasProgram: manifest.bin !== undefined,
    scripts: new Set([manifest.scripts, manifest.nx?.targets].flatMap((named) => Object.keys(named ?? {}))),
  };
}

function faultOf(
  [program, ...words]: readonly string[],
  workspaces: readonly Workspace[],
  project = ".",
): string | undefined {
  const [verb = "", ...rest] = words.filter(
    (word, index) => word !== "-y" && word !== "-p" && words[index - 1] !== "-p",
  );
  if (program === "npx") {
    if (verb === "npm") return faultOf([verb, ...rest], workspaces);
    if (verb === "nx") return missingScript(findWorkspace(workspaces, rest[1]), rest[0]);
    return missingPackage(
      workspaces.filter(({ hasProgram }) => hasProgram),
      [verb],
    );
  }
  const own = rest.indexOf("-w");
  const workspace = findWorkspace(workspaces, own === -1 ? project : rest[own + 1]);
  if (workspace === undefined) return "no such package";
  if (verb === "test") return missingScript(workspace, verb);
  if (verb === "install")
    return missingPackage(
      workspaces.filter(({ isPrivate }) => !isPrivate),
      rest,
    );
  if (verb !== "run") return undefined;
  const script = rest.find((word, index) => !word.startsWith("-") && (own === -1 || index !== own + 1));
  return missingScript(workspace, script);
}

/** Finds a package by its folder or name. */
function findWorkspace(workspaces: readonly Workspace[], named: string | undefined): Workspace | undefined {
  return workspaces.find(({ folder, name }) => folder === named || name === named);
}

function missingScript(workspace: Workspace | undefined, script: string | undefined): string | undefined {
  if (workspace === undefined) return "no such package";
  return workspace.scripts.has(script ?? "") ? undefined : `${workspace.folder} has no ${script}`;
}

function missingPackage(workspaces: readonly Workspace[], words: readonly string[]): string | undefined {
  const own = words.filter((word) => word.startsWith("@vipscore/"));
  const missing = own.find((word) => findWorkspace(workspaces, word) === undefined);
  return missing === undefined ? undefined : `no such package ${missing}`;
}
