/** The sources that know no VM by its name, and the folder with what the command knows of each. */
const neutral = /^packages\/(?:core|cli)\/src\/(?!rollup\/)/;
const comparison = /(?:[!=]==|\bcase) "(?:evm|move|wasm)"|"(?:evm|move|wasm)" [!=]==/g;

/** Returns the comparisons with a VM's name in a TypeScript file that treats all VMs alike, as `path  comparison  reason`. */
export function findVmFaults(path: string, text: string): readonly string[] {
  if (!neutral.test(path) || path.endsWith(".test.ts")) return [];
  return [...text.matchAll(comparison)].map(
    ([found]) => `${path}  ${found}  add a fact to packages/cli/src/rollup/rollups.ts, or widen the port of core`,
  );
}

/** The libraries, whose users may not have the command. */
const libraries = /^packages\/(?:blocks|cosmos|evm|indexer|indexer-client|localnet|move|policy|snapshot|wasm)\/src\//;
const comment = /^\s*(?:\/?\*|\/\/)/;
const commandLine = /["'`][^"']*\bvipscore [a-z][a-z-]+/;

/** Returns the command lines in the texts of a library's TypeScript file, as `path  line  reason`. */
export function findCommandFaults(path: string, text: string): readonly string[] {
  if (!libraries.test(path) || path.endsWith(".test.ts")) return [];
  const lines = text.split("\n").filter((line) => !comment.test(line) && commandLine.test(line));
  return lines.map(
    (line) => `${path}  ${line.trim()}  return a Hint, and word it in packages/cli/src/output/hintLines.ts`,
  );
}
