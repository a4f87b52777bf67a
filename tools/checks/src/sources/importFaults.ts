import { dirname, join } from "node:path/posix";

/** What the folders of core may import from each other; a folder that is not here imports what it likes. */
const coreFolders: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  time: [],
  account: ["errors"],
  table: ["account", "errors"],
  wire: ["errors", "time"],
  push: ["account", "errors", "table", "time", "wire"],
};

/**
 * Returns the imports of a TypeScript file that docs/architecture.md rules out and that need its path to judge, as
 * `path  specifier  reason`.
 */
export function findImportFaults(path: string, text: string): readonly string[] {
  return listSpecifiers(text).flatMap((specifier) => {
    const reason = specifier.startsWith(".")
      ? judgePath(path, join(dirname(path), specifier))
      : judgePackage(path, specifier);
    return reason === undefined ? [] : [`${path}  ${specifier}  ${reason}`];
  });
}

function listSpecifiers(text: string): readonly string[] {
  const imports = text.matchAll(/^(?:import|export|\}) (?:[^"\n]*from )?"([^"]+)"|\bimport\("([^"]+)"\)/gm);
  return [...imports].map(([, fixed, dynamic]) => fixed ?? dynamic ?? "");
}

function judgePath(from: string, to: string): string | undefined {
  if (projectOf(from) !== projectOf(to)) return "import a package by its name";
  const [fromFolder, toFolder] = [coreFolderOf(from), coreFolderOf(to)];
  if (from.endsWith(".test.ts") || fromFolder === undefined || toFolder === undefined) return undefined;
  const isAllowed = fromFolder === toFolder || (coreFolders[fromFolder]?.includes(toFolder) ?? true);
  return isAllowed ? undefined : `${fromFolder} does not import ${toFolder}`;
}

function judgePackage(from: string, name: string): string | undefined {
  if (name.startsWith("@vipscore/cli") && !from.startsWith("tools/docs/")) return "nothing imports the command";
  if (from.startsWith("tools/testkit/") && /^@vipscore\/(evm|move|wasm)\b/.test(name))
    return "testkit imports no VM package";
  return undefined;
}

/** `packages/core` of `packages/core/src/stage.ts`; the folder `tools` is not a project. */
function projectOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}

function coreFolderOf(path: string): string | undefined {
  return /^packages\/core\/src\/([a-z]+)\//.exec(path)?.[1];
}
