import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { writeWholeFile } from "@vipscore/core";
import { checkModule, optimize } from "./checkModule.ts";
import { compileContract, describe, type ContractCrate, type Toolchain } from "./compileContract.ts";

export const repository = join(import.meta.dirname, "..", "..", "..");
const workspace = join(repository, "contracts", "wasm");

/** A contract of this repository and the place of its built module. */
export interface BuiltContract extends ContractCrate {
  readonly artifacts: string;
  /** Maximum size of the built module, in bytes: operators pay gas for each byte. */
  readonly sizeLimit?: number;
}

/** The contract that operators deploy. */
export const scoringContract: BuiltContract = {
  name: "vip_score",
  folder: workspace,
  workspace,
  artifacts: join(repository, "packages", "wasm", "artifacts"),
  hasPanicTexts: false,
  sizeLimit: 400_000,
};

/** A contract that stores its state like the published contract, for the migration tests. */
export const referenceShape: BuiltContract = {
  name: "reference_shape",
  folder: join(workspace, "reference_shape"),
  workspace,
  artifacts: join(workspace, "reference_shape", "artifacts"),
  // One of its deliberate faults is a panic.
  hasPanicTexts: true,
};

/** The published CW-721 contract, for tests of NFT readers. */
export const cw721Fixture: BuiltContract = {
  name: "cw721_fixture",
  folder: join(workspace, "cw721_fixture"),
  workspace,
  artifacts: join(workspace, "cw721_fixture", "artifacts"),
  hasPanicTexts: false,
};

/** The examples for authors of contracts, for tests that deploy them. */
export const examples: readonly BuiltContract[] = ["arena", "awards"].map((name) => ({
  name,
  folder: join(workspace, "examples", name),
  workspace,
  artifacts: join(workspace, "examples", name, "artifacts"),
  hasPanicTexts: false,
}));

/** The files of contracts/wasm that determine the built modules, relative to it, in a fixed order. */
async function readSources(): Promise<ReadonlyMap<string, Buffer>> {
  return readFiles(workspace, (path) =>
    /^((reference_shape|cw721_fixture|examples\/\w+)\/)?(Cargo\.(toml|lock)|build\.rs|(src|\.cargo)\/.+)$/.test(path),
  );
}

/** The files of this tool, which define the flags and the steps. */
async function readSteps(): Promise<ReadonlyMap<string, Buffer>> {
  return readFiles(import.meta.dirname, (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
}

async function readFiles(folder: string, isWanted: (path: string) => boolean): Promise<ReadonlyMap<string, Buffer>> {
  const paths = (await readdir(folder, { recursive: true })).map((path) => path.split(sep).join("/")).filter(isWanted);
  const files = new Map<string, Buffer>();
  for (const path of paths.sort())
    if ((await stat(join(folder, path))).isFile()) files.set(path, await readFile(join(folder, path)));
  return files;
}

const cache = join(repository, "packages", "wasm", ".build");

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
