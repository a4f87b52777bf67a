import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { writeWholeFile } from "@vipscore/core";
import { repository, type BuiltContract } from "./contracts.ts";
import type { Toolchain } from "./toolchain.ts";

/** The record beside the built contract. */
export interface ContractDescription {
  /** The contract's name in `get_contract_version` and cw2. */
  readonly contract: string;
  readonly version: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly toolchain: Toolchain;
}

/** Content of files by path from the repository's root. */
export type Artifacts = ReadonlyMap<string, Buffer>;

/** Returns the files of a built module: the module, its sha256 and, with an identity, its description. */
export function artifactsOf(
  { name, artifacts }: BuiltContract,
  module: Buffer,
  description?: Pick<ContractDescription, "contract" | "version" | "toolchain">,
): Artifacts {
  const sha256 = createHash("sha256").update(module).digest("hex");
  const folder = relative(repository, artifacts);
  const files = new Map([
    [join(folder, `${name}.wasm`), module],
    [join(folder, `${name}.wasm.sha256`), Buffer.from(`${sha256}  ${name}.wasm\n`)],
  ]);
  if (description === undefined) return files;
  const { contract, version, toolchain } = description;
  const described: ContractDescription = { contract, version, bytes: module.length, sha256, toolchain };
  return files.set(join(folder, `${name}.json`), Buffer.from(`${JSON.stringify(described, null, 2)}\n`));
}

/** The toolchain that the committed contract was built with; undefined before the first build. */
export async function recordedToolchain({ name, artifacts }: BuiltContract): Promise<Toolchain | undefined> {
  const text = await readFile(join(artifacts, `${name}.json`), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as ContractDescription).toolchain;
}

/** Writes the files that differ; readers never see a partial file. */
export async function writeArtifacts(files: Artifacts): Promise<void> {
  for (const [path, content] of files) {
    const file = join(repository, path);
    if ((await readFile(file).catch(() => undefined))?.equals(content) === true) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeWholeFile(file, content);
    console.log(`wrote ${path}, ${content.length} bytes`);
  }
}

/** Returns where each committed file differs from what the sources produce; empty if all match. */
export async function compareArtifacts(files: Artifacts): Promise<readonly string[]> {
  const differences: string[] = [];
  for (const [path, content] of files) {
    const committed = await readFile(join(repository, path)).catch(() => undefined);
    if (committed === undefined) differences.push(`${path} is missing`);
    else if (!committed.equals(content))
      differences.push(`${path} differs from byte ${firstDifference(committed, content)} on`);
  }
  return differences;
}

function firstDifference(committed: Buffer, rebuilt: Buffer): number {
  let at = 0;
  while (at < committed.length && committed[at] === rebuilt[at]) at += 1;
  return at;
}
