import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { writeWholeFile } from "@vipscore/core";
import {
  buildModule,
  cw721Fixture,
  examples,
  referenceShape,
  repository,
  scoringContract,
  type BuiltContract,
} from "./buildModule.ts";
import { describe, readToolchain, type Toolchain } from "./compileContract.ts";

/**
 * Builds the CosmWasm contract, the examples that build on it, and two contracts for tests: one in the reference's shape and a
 * CW-721. With `--check` it writes nothing and exits with status 1 if a committed file differs from what the sources produce, or
 * if the installed toolchain is not the recorded one. With `--contract-only` it builds only the first.
 */
async function build(toolchain: Toolchain, fixtures: readonly BuiltContract[]): Promise<Artifacts> {
  const files = new Map(
    artifactsOf(scoringContract, await buildModule(scoringContract, toolchain), {
      ...(await readIdentity(scoringContract.folder)),
      toolchain,
    }),
  );
  for (const fixture of fixtures) {
    const module = await buildModule(fixture, toolchain);
    for (const [path, content] of artifactsOf(fixture, module)) files.set(path, content);
  }
  return files;
}

/** Reads the name and version that the contract stores (cw2) from its sources. */
async function readIdentity(folder: string) {
  const name = /^pub const CONTRACT_NAME: &str = "([^"]+)";$/m.exec(
    await readFile(join(folder, "src", "state.rs"), "utf8"),
  )?.[1];
  const version = /^version = "([^"]+)"$/m.exec(await readFile(join(folder, "Cargo.toml"), "utf8"))?.[1];
  if (name === undefined || version === undefined)
    throw new Error(`${folder} has no CONTRACT_NAME in src/state.rs or no version in Cargo.toml`);
  return { contract: name, version };
}

/** @throws Error if another toolchain built the committed module: its bytes say nothing about the sources then. */
async function requireRecorded(toolchain: Toolchain): Promise<void> {
  const recorded = await recordedToolchain(scoringContract);
  if (recorded === undefined || describe(recorded) === describe(toolchain)) return;
  throw new Error(
    `vip_score.wasm was built with ${describe(recorded)}; installed is ${describe(toolchain)}. Install the former, or run \`npm run build:artifacts\` and commit the result.`,
  );
}

/** The record beside the built contract. */
interface ContractDescription {
  /** The contract's name in `get_contract_version` and cw2. */
  readonly contract: string;
  readonly version: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly toolchain: Toolchain;
}

/** Content of files by path from the repository's root. */
type Artifacts = ReadonlyMap<string, Buffer>;

/** Returns the files of a built module: the module, its sha256 and, with an identity, its description. */
function artifactsOf(
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
async function recordedToolchain({ name, artifacts }: BuiltContract): Promise<Toolchain | undefined> {
  const text = await readFile(join(artifacts, `${name}.json`), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as ContractDescription).toolchain;
}

/** Writes the files that differ; readers never see a partial file. */
async function writeArtifacts(files: Artifacts): Promise<void> {
  for (const [path, content] of files) {
    const file = join(repository, path);
    if ((await readFile(file).catch(() => undefined))?.equals(content) === true) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeWholeFile(file, content);
    console.log(`wrote ${path}, ${content.length} bytes`);
  }
}

/** Returns where each committed file differs from what the sources produce; empty if all match. */
async function compareArtifacts(files: Artifacts): Promise<readonly string[]> {
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

const isCheck = process.argv.includes("--check");
const fixtures = process.argv.includes("--contract-only") ? [] : [referenceShape, cw721Fixture, ...examples];
try {
  const toolchain = await readToolchain();
  if (isCheck) await requireRecorded(toolchain);
  const files = await build(toolchain, fixtures);
  if (!isCheck) await writeArtifacts(files);
  else {
    const differences = await compareArtifacts(files);
    if (differences.length > 0) {
      throw new Error(
        [
          ...differences,
          "Run `npm run build:artifacts` and commit the result, or find out what changed the build.",
        ].join("\n"),
      );
    }
    console.log(`the committed modules match contracts/wasm, built with ${describe(toolchain)}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
