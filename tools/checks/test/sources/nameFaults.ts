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

/** The libraries, whose users may not have the command: all packages but the command and the demo. */
const libraries = /^packages\/(?!(?:cli|demo)\/)[\w-]+\/(?:src|page)\//;
/** Comments, which are left out, and texts. */
const tokens = /\/\*[\s\S]*?\*\/|(?<![:"'`\\])\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
/** Flags, command lines and environment variables. */
const ofCommand =
  /(?:^.|[\s`(])--[a-z]|`?vipscore (?!contract|writes)[a-z]+|\b(?!INVALID_)[A-Z0-9]+_(?:URL|KEY|ADDRESS|ENDPOINT|PRICES|STAGE)\b/;
/** Arguments of other programs, a suite's name, and CSS. */
const allowed =
  /^packages\/(?:localnet\/src\/vipnode\/(?:startVipnode|buildVipnode)|conformance\/src\/(?:subjects\/moveScripts|runConformance|testContract)|policy\/src\/run\/startQuery|report\/src\/styles)\.ts$/;

/** Returns the texts of a library's TypeScript file that name what only the command has, as `path  text  reason`. */
export function findCommandFaults(path: string, text: string): readonly string[] {
  if (!libraries.test(path) || !path.endsWith(".ts") || path.endsWith(".test.ts") || allowed.test(path)) return [];
  const texts = [...text.matchAll(tokens)].map(([token]) => token).filter((token) => /^["'`]/.test(token));
  return texts
    .filter((token) => ofCommand.test(token))
    .map((token) => `${path}  ${token}  return a Hint, and word it in packages/cli/src/output/reportError.ts`);
}
