import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { createHardhatRuntimeEnvironment, importUserConfig } from "hardhat/hre";
import { isHex, type Abi, type Hex } from "viem";

/** A contract of contracts/evm, compiled by its Hardhat project. */
export interface CompiledContract {
  readonly contractName: string;
  /** Path within contracts/evm. */
  readonly sourceName: string;
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
  readonly compiler: { readonly version: string; readonly settings: Readonly<Record<string, unknown>> };
}

/**
 * Compiles what changed since contracts/evm was last built, with its own Hardhat settings. Its target `compile` builds it once for
 * tests and artifacts.
 */
export async function compileContracts(names: readonly string[]): Promise<readonly CompiledContract[]> {
  const configFile = createRequire(import.meta.url).resolve("@vipscore/contracts-evm/hardhat.config.ts");
  const config = await importUserConfig(configFile);
  const hre = await createHardhatRuntimeEnvironment(config, { config: configFile }, dirname(configFile));
  await hre.tasks.getTask("build").run({ quiet: true });
  return Promise.all(names.map((name) => readContract(hre.artifacts, name)));
}

type Artifacts = Awaited<ReturnType<typeof createHardhatRuntimeEnvironment>>["artifacts"];

async function readContract(artifacts: Artifacts, name: string): Promise<CompiledContract> {
  const artifact = await artifacts.readArtifact(name);
  const buildInfoFile = await artifacts.getBuildInfoPath((await artifacts.getBuildInfoId(name)) ?? "");
  if (buildInfoFile === undefined) throw new Error(`Hardhat kept no build information for ${name}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Hardhat's own format hh3-sol-build-info-1
  const buildInfo = JSON.parse(await readFile(buildInfoFile, "utf8")) as BuildInfo;
  // The requested compiler output does not affect the code.
  const { outputSelection: _, ...settings } = buildInfo.input.settings;
  return {
    contractName: artifact.contractName,
    sourceName: artifact.sourceName,
    abi: artifact.abi,
    bytecode: hexOf(artifact.bytecode),
    deployedBytecode: hexOf(artifact.deployedBytecode),
    compiler: { version: buildInfo.solcLongVersion, settings },
  };
}

function hexOf(code: string): Hex {
  if (isHex(code)) return code;
  throw new Error("the compiler left a placeholder for a library in the code");
}

interface BuildInfo {
  readonly solcLongVersion: string;
  readonly input: { readonly settings: Readonly<Record<string, unknown>> };
}
