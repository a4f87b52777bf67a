import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

import type { ContractCrate } from "./compileContract.ts";

export const repository = join(import.meta.dirname, "..", "..", "..");
const workspace = join(repository, "contracts", "wasm");

/** A contract of this repository and where its built module is kept. */
export interface BuiltContract extends ContractCrate {
  readonly artifacts: string;
  /** The most bytes that the built module may take: an operator pays gas for each. */
  readonly sizeLimit?: number;
}

/** The contract that operators deploy. */
export const scoringContract: BuiltContract = {
  name: "vip_score",
  folder: workspace,
  workspace,
  artifacts: join(repository, "packages", "wasm", "artifacts"),
  hasPanicTexts: false,
  sizeLimit: 180_000,
};

/** A contract that keeps its state as the published one does, for the tests of the migration. */
export const referenceShape: BuiltContract = {
  name: "reference_shape",
  folder: join(workspace, "reference_shape"),
  workspace,
  artifacts: join(workspace, "reference_shape", "artifacts"),
  // One of the faults that it has on purpose is a panic.
  hasPanicTexts: true,
};

/** The files under contracts/wasm that decide the built modules, by path from there, in a fixed order. */
export async function readSources(folder = workspace): Promise<ReadonlyMap<string, Buffer>> {
  const isSource = (path: string) => /(^|\/)(Cargo\.(toml|lock)|build\.rs)$|(^|\/)(src|\.cargo)\//.test(path);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => isSource(path) && !path.startsWith("target/"))
    .sort();
  const files = await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path))] as const));
  return new Map(files);
}
