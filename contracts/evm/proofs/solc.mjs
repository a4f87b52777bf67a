#!/usr/bin/env node
/**
 * The compiler of the npm package `solc` with the command line that forge uses: `--version`, and `--standard-json` from stdin.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { compile, version } = createRequire(import.meta.url)("solc");

process.stdout.write(process.argv.includes("--version") ? `Version: ${version()}\n` : compile(readFileSync(0, "utf8")));
