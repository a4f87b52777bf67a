import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * A process of its own that compiles the Solidity contract of the reference's shape with the settings of contracts/evm, and
 * sends its ABI and its creation code to its parent: the compiler needs some hundred megabytes.
 */
const require = createRequire(import.meta.url);
const sourceFile = require.resolve("@vipscore/contracts-evm/test/ReferenceShape.sol");
const configFile = require.resolve("@vipscore/contracts-evm/hardhat.config.ts");
const { default: config } = (await import(pathToFileURL(configFile).href)) as {
  readonly default: { readonly solidity: { readonly settings: object } };
};
const { compile } = require("solc") as { readonly compile: (input: string) => string };
const settings = {
  ...config.solidity.settings,
  outputSelection: { "ReferenceShape.sol": { ReferenceShape: ["abi", "evm.bytecode.object"] } },
};
const sources = { "ReferenceShape.sol": { content: await readFile(sourceFile, "utf8") } };
const output = JSON.parse(compile(JSON.stringify({ language: "Solidity", sources, settings }))) as {
  readonly contracts: Readonly<
    Record<
      string,
      { readonly ReferenceShape: { readonly abi: object; readonly evm: { bytecode: { object: string } } } }
    >
  >;
};
const contract = output.contracts["ReferenceShape.sol"]?.ReferenceShape;
if (contract === undefined) throw new Error("the compiler gave no ReferenceShape");
process.send?.({ abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }, () => process.disconnect());
