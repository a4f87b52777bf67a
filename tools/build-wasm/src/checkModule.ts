import binaryen from "binaryen";
import { validateMvp } from "./wasmOpt.ts";

/*
 * What `cosmwasm-check` (cosmwasmCheck.ts) does not require: it accepts instructions that are newer than WebAssembly 1.0, such as
 * sign extension, and contracts without some of the entry points.
 */

/** The entry points of a scoring contract. The VM accepts contracts without some of them, and a chain stores them. */
const requiredExports = ["instantiate", "execute", "query", "migrate"] as const;

/** Returns why this project cannot deploy a module: it must use only WebAssembly 1.0 and have all entry points. */
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
