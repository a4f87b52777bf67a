#!/usr/bin/env node
/**
 * The compiler of the npm package with the command line that Slither calls: `--version`, and `--standard-json` from stdin. So
 * Slither reads the contracts with the compiler that builds them, and nothing is downloaded. Slither works on the syntax
 * tree: generating code, which it asks for too, would only take time.
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
