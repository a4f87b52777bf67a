import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { artifactsOf, compareArtifacts, recordedToolchain, writeArtifacts, type Artifacts } from "./artifacts.ts";
import { buildModule } from "./buildModule.ts";
import { cw721Fixture, examples, referenceShape, scoringContract, type BuiltContract } from "./contracts.ts";
import { describe, readToolchain, type Toolchain } from "./toolchain.ts";

/**
 * Builds the CosmWasm contract, the examples that build on it, and two contracts for tests: one in the reference's shape and a
 * CW-721. With `--check` it
 * writes nothing and exits with status 1 if a committed file differs from what the sources produce, or if the installed
 * toolchain is not the recorded one. With `--contract-only` it builds only the first.
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
    await readFile(join(folder, "src", "version.rs"), "utf8"),
  )?.[1];
  const version = /^version = "([^"]+)"$/m.exec(await readFile(join(folder, "Cargo.toml"), "utf8"))?.[1];
  if (name === undefined || version === undefined)
    throw new Error(`${folder} has no CONTRACT_NAME in src/version.rs or no version in Cargo.toml`);
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
