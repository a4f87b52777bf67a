#!/usr/bin/env node
// The npm package's compiler with the command line that Foundry uses, so that Foundry downloads nothing.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { compile, version } = createRequire(import.meta.url)("solc");
console.log(process.argv.includes("--version") ? `Version: ${version()}` : compile(readFileSync(0, "utf8")));
