import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createHardhatRuntimeEnvironment, importUserConfig } from "hardhat/hre";

/**
 * Builds `artifacts/DemoNft.json`, the collection that tests mint on local EVM nodes, from contracts/evm with its Hardhat settings. With
 * `--check` it writes nothing, and exits with status 1 if the committed file differs.
 */
const name = "DemoNft";
const file = join(import.meta.dirname, "..", "artifacts", `${name}.json`);

async function render(): Promise<string> {
  const configFile = createRequire(import.meta.url).resolve("@vipscore/contracts-evm/hardhat.config.ts");
  const config = await importUserConfig(configFile);
  const hre = await createHardhatRuntimeEnvironment(config, { config: configFile }, dirname(configFile));
  await hre.tasks.getTask("build").run({ quiet: true });
  const { contractName, sourceName, abi, bytecode } = await hre.artifacts.readArtifact(name);
  return `${JSON.stringify({ contractName, sourceName, abi, bytecode }, null, 2)}\n`;
}

const built = await render();
if (!process.argv.includes("--check")) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, built);
  console.log(`wrote tools/testkit/artifacts/${name}.json`);
} else if ((await readFile(file, "utf8").catch(() => "")) === built) {
  console.log(`the committed ${name}.json matches contracts/evm`);
} else {
  console.error(`tools/testkit/artifacts/${name}.json is out of date with contracts/evm: build and commit it`);
  process.exitCode = 1;
}
