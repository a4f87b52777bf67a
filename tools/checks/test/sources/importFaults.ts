import { isBuiltin } from "node:module";
import { dirname, join } from "node:path/posix";

/** The imports that the folders of core may have from each other; a folder that is not here imports what it likes. */
const coreFolders: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  time: [],
  account: ["errors"],
  table: ["account", "errors"],
  wire: ["errors", "time"],
  manifest: ["errors", "table", "wire"],
  push: ["account", "errors", "table", "time", "wire"],
};

/** The packages that the command may not have, and the one file that loads them. */
const optionalPackages = /^@vipscore\/(?:blocks|conformance|evm|indexer|ledger|localnet|move|policy|wasm)(?:\/|$)/;
const optionalLoader = "packages/cli/src/optionalPackage.ts";
/** Starts local nodes or processes, which the tests in `src` do not need. */
const nodesAndProcesses = /^(?:node:)?child_process$|^@vipscore\/(?:localnet|testkit\/minievm)$/;
/** Folders that may import the command: projects that stand for users' programs. */
const commandUsers = ["tools/release/projects/"];
/** Reads from the command's sources what it does not export: its parser. */
const sourceReader = "tools/site/src/cliPages.ts";
/** Programs that run without `npm ci`. */
const nodeAlone = /^tools\/(?:action|doctor|release)\/src\/(?!rehearsal\/)/;

/**
 * Returns the imports of a TypeScript file that docs/architecture.md rules out and that need its path to judge, as
 * `path  specifier  reason`.
 */
export function findImportFaults(path: string, text: string): readonly string[] {
  return listImports(text).flatMap(({ specifier, isType }) => {
    const reason = specifier.startsWith(".")
      ? judgePath(path, join(dirname(path), specifier))
      : (judgePackage(path, specifier) ?? (isType ? undefined : judgeOptional(path, specifier)));
    return reason === undefined ? [] : [`${path}  ${specifier}  ${reason}`];
  });
}

/** What a package's manifest says that it finds where it is installed. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly peerDependencies?: object;
}

/** Returns the imports of a file that npm publishes, types too, that its package does not declare, as {@link findImportFaults} does. */
export function findUndeclared(path: string, text: string, manifest: Manifest): readonly string[] {
  const { name, dependencies, optionalDependencies, peerDependencies } = manifest;
  const declared = new Set([name, ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })]);
  return listImports(text).flatMap(({ specifier }) => {
    const isFound = specifier.startsWith(".") || isBuiltin(specifier) || declared.has(packageOf(specifier));
    return isFound ? [] : [`${path}  ${specifier}  ${name} does not declare it`];
  });
}

/** `@vipscore/core` of `@vipscore/core/errors`. */
function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

interface Import {
  readonly specifier: string;
  /** True if nothing of it is left when the file runs. */
  readonly isType: boolean;
}

function listImports(text: string): readonly Import[] {
  const imports = text.matchAll(
    /^(?:import|export) (type )?(?:(?:\w+, )?\{[^}]*\} from |[^"\n{]*from )?"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...imports].map(([, type, fixed, dynamic]) => ({
    specifier: fixed ?? dynamic ?? "",
    isType: type !== undefined,
  }));
}

function judgePath(from: string, to: string): string | undefined {
  if (projectOf(from) !== projectOf(to) && from !== sourceReader) return "import a package by its name";
  const [fromFolder, toFolder] = [coreFolderOf(from), coreFolderOf(to)];
  if (from.endsWith(".test.ts") || fromFolder === undefined || toFolder === undefined) return undefined;
  const isAllowed = fromFolder === toFolder || (coreFolders[fromFolder]?.includes(toFolder) ?? true);
  return isAllowed ? undefined : `${fromFolder} does not import ${toFolder}`;
}

function judgePackage(from: string, name: string): string | undefined {
  if (nodeAlone.test(from) && !isBuiltin(name)) return "runs without npm ci: it needs Node alone";
  const mayImportCommand = commandUsers.some((folder) => from.startsWith(folder));
  if (name.startsWith("@vipscore/cli") && !mayImportCommand) return "nothing imports the command";
  if (/\/src\/.*\.test\.ts$/.test(from) && nodesAndProcesses.test(name))
    return "a unit test starts no node and no process";
  if (/^tools\/testkit\/(?!(?:src|test)\/faults\/)/.test(from) && /^@vipscore\/(evm|move|wasm)\b/.test(name))
    return "testkit imports VM packages in faults alone";
  return undefined;
}

function judgeOptional(from: string, name: string): string | undefined {
  const isCommand = from.startsWith("packages/cli/src/") && !from.endsWith(".test.ts") && from !== optionalLoader;
  return isCommand && optionalPackages.test(name) ? "load an optional package with optionalPackage" : undefined;
}

/** `packages/core` of `packages/core/src/stage.ts`; the folder `tools` is not a project. */
function projectOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}

function coreFolderOf(path: string): string | undefined {
  return /^packages\/core\/src\/([a-z]+)\//.exec(path)?.[1];
}
