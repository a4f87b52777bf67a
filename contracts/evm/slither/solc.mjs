#!/usr/bin/env node
/**
 * The npm package's compiler with the command line that Slither uses: `--version`, and `--standard-json` from stdin. Slither
 * thus reads the contracts with the compiler that builds them, without a download. It works on the syntax tree; the code
 * that it also requests is left out to save time.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { compile, version } = createRequire(import.meta.url)("solc");

if (process.argv.includes("--version")) console.log(`Version: ${version()}`);
else {
  const input = JSON.parse(readFileSync(0, "utf8"));
  input.settings.outputSelection = { "*": { "*": ["abi", "devdoc", "userdoc"], "": ["ast"] } };
  const output = JSON.parse(
    compile(JSON.stringify(input), { import: (path) => ({ contents: readFileSync(path, "utf8") }) }),
  );
  const noCode = { object: "", sourceMap: "" };
  for (const contracts of Object.values(output.contracts ?? {})) {
    for (const contract of Object.values(contracts)) contract.evm = { bytecode: noCode, deployedBytecode: noCode };
  }
  process.stdout.write(JSON.stringify(output));
}
