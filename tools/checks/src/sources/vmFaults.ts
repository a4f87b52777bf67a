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
