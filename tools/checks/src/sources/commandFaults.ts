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
