import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWholeFile } from "@vipscore/core";
import { checkModule } from "./checkModule.ts";
import { compileContract } from "./compileContract.ts";
import { readSources, readSteps, repository, type BuiltContract } from "./contracts.ts";
import { describe, type Toolchain } from "./toolchain.ts";
import { optimize } from "./wasmOpt.ts";

const cache = join(repository, "tools", "build-wasm", ".build");

/**
 * Compiles, optimizes and checks a contract's module. Caches the result under a digest of all inputs: sources,
 * lock, toolchain, flags and optimizer.
 *
 * @throws Error with the reason why cargo failed or why the module cannot be deployed.
 */
export async function buildModule(contract: BuiltContract, toolchain: Toolchain): Promise<Buffer> {
  const kept = join(cache, "modules", `${contract.name}-${await digestOf(toolchain)}.wasm`);
  const known = await readFile(kept).catch(() => undefined);
  if (known !== undefined) return known;
  console.log(`building ${contract.name} with ${describe(toolchain)}: takes minutes the first time`);
  // One folder for all builds with the same flags, so that the standard library is built once for them; with other flags cargo
  // would rebuild it every time.
  const flags = contract.hasPanicTexts ? "panic-texts" : "no-panic-texts";
  const raw = await compileContract(contract, join(cache, "target", flags));
  const module = await optimize(raw);
  const problems = await checkModule(module);
  if (problems.length > 0) {
    throw new Error([`${contract.name} cannot be deployed:`, ...problems].join("\n  "));
  }
  if (contract.sizeLimit !== undefined && module.length > contract.sizeLimit) {
    throw new Error(`${contract.name}.wasm has ${module.length} bytes; the limit is ${contract.sizeLimit}`);
  }
  await mkdir(join(cache, "modules"), { recursive: true });
  await writeWholeFile(kept, module);
  return module;
}

async function digestOf(toolchain: Toolchain): Promise<string> {
  const hash = createHash("sha256");
  hash.update(JSON.stringify(toolchain));
  const sources = [...(await readSources()), ...(await readSteps())];
  for (const [path, content] of sources) hash.update(`\0${path}\0${content.length}\0`).update(content);
  return hash.digest("hex").slice(0, 32);
}
