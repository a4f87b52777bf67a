import binaryen from "binaryen";

import { validateMvp } from "./wasmOpt.ts";

/*
 * What `cosmwasm-check` (cosmwasmCheck.ts) does not ask of a module: it takes instructions that are newer than WebAssembly 1.0, for
 * instance sign extension, and a contract without some of the entry points.
 */

/** The entry points of a scoring contract. The VM takes contracts without some of them, and a chain stores such a contract. */
const requiredExports = ["instantiate", "execute", "query", "migrate"] as const;

/** Returns why a module is not what this project deploys: it keeps to WebAssembly 1.0, and has all entry points. */
export async function checkModule(bytes: Uint8Array): Promise<readonly string[]> {
  try {
    await validateMvp(bytes);
  } catch (error) {
    return [`it is not valid WebAssembly 1.0: ${error instanceof Error ? error.message : String(error)}`];
  }
  const module = binaryen.readBinary(bytes);
  try {
    const names = new Set(
      Array.from({ length: module.getNumExports() }, (_, index) =>
        binaryen.getExportInfo(module.getExportByIndex(index)),
      ).flatMap(({ kind, name }) => (kind === binaryen.ExternalFunction ? [name] : [])),
    );
    return requiredExports.filter((name) => !names.has(name)).map((name) => `it does not export ${name}`);
  } finally {
    module.dispose();
  }
}
