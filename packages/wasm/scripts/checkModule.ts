import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import binaryen from "binaryen";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const packageFile = require.resolve("binaryen/package.json");

/** Binaryen's version, from its package. */
export const binaryenVersion = (require("binaryen/package.json") as { readonly version: string }).version;

/** Declares the module as WebAssembly 1.0, so that nothing newer gets into it. */
const optimizeFlags = ["--mvp-features", "-Oz", "--converge", "--strip-debug", "--strip-producers"] as const;

/**
 * Makes a module small and fast.
 *
 * @throws Error with wasm-opt's output if the module needs newer instructions than those of WebAssembly 1.0.
 */
export async function optimize(module: Uint8Array): Promise<Buffer> {
  return wasmOpt(module, optimizeFlags);
}

/**
 * Resolves if a module is valid WebAssembly 1.0.
 *
 * @throws Error with the validator's output.
 */
async function validateMvp(module: Uint8Array): Promise<void> {
  await wasmOpt(module, ["--mvp-features"]);
}

async function wasmOpt(module: Uint8Array, flags: readonly string[]): Promise<Buffer> {
  const scratch = await mkdtemp(join(tmpdir(), "vipscore-wasm-opt-"));
  try {
    const [input, output] = [join(scratch, "in.wasm"), join(scratch, "out.wasm")];
    await writeFile(input, module);
    await run(process.execPath, [join(dirname(packageFile), "bin", "wasm-opt"), input, ...flags, "-o", output]);
    return await readFile(output);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

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
