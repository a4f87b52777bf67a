import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * A separate process that compiles the Solidity contract of the reference's shape with the settings of contracts/evm and
 * sends its ABI and creation code to its parent: the compiler needs several hundred megabytes.
 */
const require = createRequire(import.meta.url);
/** The contract and its imports. */
const files = ["fixtures/ReferenceShape.sol", "src/IPublishedVipScore.sol"] as const;
const [contractFile] = files;
const configFile = require.resolve("@vipscore/contracts-evm/hardhat.config.ts");
const { default: config } = (await import(pathToFileURL(configFile).href)) as {
  readonly default: { readonly solidity: { readonly settings: object } };
};
const { compile } = require("solc") as { readonly compile: (input: string) => string };
const settings = {
  ...config.solidity.settings,
  outputSelection: { [contractFile]: { ReferenceShape: ["abi", "evm.bytecode.object"] } },
};
const sources: Record<string, { readonly content: string }> = {};
for (const file of files) {
  sources[file] = { content: await readFile(require.resolve(`@vipscore/contracts-evm/${file}`), "utf8") };
}
const output = JSON.parse(compile(JSON.stringify({ language: "Solidity", sources, settings }))) as {
  readonly contracts: Readonly<
    Record<
      string,
      { readonly ReferenceShape: { readonly abi: object; readonly evm: { bytecode: { object: string } } } }
    >
  >;
};
const contract = output.contracts[contractFile]?.ReferenceShape;
if (contract === undefined) throw new Error("the compiler gave no ReferenceShape");
process.send?.({ abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }, () => process.disconnect());
