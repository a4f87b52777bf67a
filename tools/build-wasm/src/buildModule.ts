import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWholeFile } from "@vipscore/core";
import { checkModule } from "./checkModule.ts";
import { compileContract } from "./compileContract.ts";
import { readSources, readSteps, repository, type BuiltContract } from "./contracts.ts";
import type { Toolchain } from "./findToolchains.ts";
import { binaryenVersion, optimize } from "./wasmOpt.ts";

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
  const raw = await compileContract(contract, toolchain, join(cache, "target", flags));
  const module = await optimize(raw);
  const problems = await checkModule(module);
  if (problems.length > 0) {
    throw new Error([`${contract.name} cannot be deployed:`, ...problems].join("\n  "));
  }
  if (contract.sizeLimit !== undefined && module.length > contract.sizeLimit) {
    const why = toolchain.identity.std === "prebuilt" ? ". A prebuilt standard library adds 30 kB of panic texts" : "";
    throw new Error(`${contract.name}.wasm has ${module.length} bytes; the limit is ${contract.sizeLimit}${why}`);
  }
  await mkdir(join(cache, "modules"), { recursive: true });
  await writeWholeFile(kept, module);
  return module;
}

/** Describes a toolchain. */
export function describe({ identity }: Pick<Toolchain, "identity">): string {
  const std = identity.std === "sources" ? "its standard library built from sources" : "its prebuilt standard library";
  return `${identity.rustc}, ${std}, linker ${identity.linker}`;
}

async function digestOf({ identity }: Toolchain): Promise<string> {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([identity, binaryenVersion]));
  const sources = [...(await readSources()), ...(await readSteps())];
  for (const [path, content] of sources) hash.update(`\0${path}\0${content.length}\0`).update(content);
  return hash.digest("hex").slice(0, 32);
}
