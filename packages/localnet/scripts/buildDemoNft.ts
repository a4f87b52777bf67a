import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createHardhatRuntimeEnvironment, importUserConfig } from "hardhat/hre";

/**
 * Builds `artifacts/DemoNft.json`, the demo collection for local EVM nodes, from contracts/evm with its Hardhat
 * settings, in a separate folder. With `--check` it writes nothing, and exits with status 1 if the committed file
 * differs.
 */
const name = "DemoNft";
const file = join(import.meta.dirname, "..", "artifacts", `${name}.json`);

async function render(): Promise<string> {
  const configFile = createRequire(import.meta.url).resolve("@vipscore/contracts-evm/hardhat.config.ts");
  const config = await importUserConfig(configFile);
  const folder = await mkdtemp(join(tmpdir(), "vipscore-demo-nft-"));
  try {
    const paths = { ...config.paths, artifacts: join(folder, "artifacts"), cache: join(folder, "cache") };
    const settings = { ...config, paths };
    const hre = await createHardhatRuntimeEnvironment(settings, { config: configFile }, dirname(configFile));
    await hre.tasks.getTask("build").run({ force: true, quiet: true });
    const { contractName, sourceName, abi, bytecode } = await hre.artifacts.readArtifact(name);
    return `${JSON.stringify({ contractName, sourceName, abi, bytecode }, null, 2)}\n`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const built = await render();
if (!process.argv.includes("--check")) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, built);
  console.log(`wrote packages/localnet/artifacts/${name}.json`);
} else if ((await readFile(file, "utf8").catch(() => "")) === built) {
  console.log(`the committed ${name}.json matches contracts/evm`);
} else {
  console.error(`packages/localnet/artifacts/${name}.json is out of date with contracts/evm: build and commit it`);
  process.exitCode = 1;
}
