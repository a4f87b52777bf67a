import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Writes `artifacts/DemoNft.json`, the collection that tests mint on local EVM nodes, from what contracts/evm compiled. With
 * `--check` it writes nothing, and exits with status 1 if the committed file differs.
 */
const name = "DemoNft";
const file = join(import.meta.dirname, "..", "artifacts", `${name}.json`);

async function render(): Promise<string> {
  const project = dirname(createRequire(import.meta.url).resolve("@vipscore/contracts-evm/hardhat.config.ts"));
  const compiled = await readFile(join(project, "artifacts/fixtures", `${name}.sol`, `${name}.json`), "utf8");
  const { contractName, sourceName, abi, bytecode } = JSON.parse(compiled) as Readonly<Record<string, unknown>>;
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
