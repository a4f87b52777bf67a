import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const packageFile = require.resolve("binaryen/package.json");

/** Binaryen's version, as the package tells it. */
export const binaryenVersion = (require("binaryen/package.json") as { readonly version: string }).version;

/**
 * What the optimiser does. A prebuilt standard library holds newer instructions whatever the contract was compiled for,
 * so those are rewritten first; then only WebAssembly 1.0 is left to be said. Saturating conversions of floats are not
 * rewritten: binaryen's way gives other results above the range.
 */
const optimiseFlags = [
  [
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
    "--llvm-memory-copy-fill-lowering",
    "--signext-lowering",
    "--strip-target-features",
  ],
  ["--mvp-features", "-Oz", "--converge", "--strip-debug", "--strip-producers"],
] as const;

/**
 * Rewrites a module with only instructions of WebAssembly 1.0, and makes it small and fast.
 *
 * @throws Error with wasm-opt's words when the module needs more than that.
 */
export async function optimise(module: Uint8Array): Promise<Buffer> {
  let current: Buffer = Buffer.from(module);
  for (const flags of optimiseFlags) current = await wasmOpt(current, flags);
  return current;
}

/**
 * Ends without an error if a module is valid WebAssembly 1.0.
 *
 * @throws Error with the validator's words.
 */
export async function validateMvp(module: Uint8Array): Promise<void> {
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
