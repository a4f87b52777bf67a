import { readdir, readFile, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { ContractCrate } from "./compileContract.ts";

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
export async function readSources(): Promise<ReadonlyMap<string, Buffer>> {
  return readFiles(workspace, (path) =>
    /^((reference_shape|cw721_fixture|examples\/\w+)\/)?(Cargo\.(toml|lock)|build\.rs|(src|\.cargo)\/.+)$/.test(path),
  );
}

/** The files of this tool, which define the flags and the steps. */
export async function readSteps(): Promise<ReadonlyMap<string, Buffer>> {
  return readFiles(import.meta.dirname, (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
}

async function readFiles(folder: string, isWanted: (path: string) => boolean): Promise<ReadonlyMap<string, Buffer>> {
  const paths = (await readdir(folder, { recursive: true })).map((path) => path.split(sep).join("/")).filter(isWanted);
  const files = new Map<string, Buffer>();
  for (const path of paths.sort())
    if ((await stat(join(folder, path))).isFile()) files.set(path, await readFile(join(folder, path)));
  return files;
}
