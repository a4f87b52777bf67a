#!/usr/bin/env node
// Committed as executable, so that `npx @vipscore/cli` also runs in a checkout: the build does not make its files executable.
const { node, bun, deno } = process.versions;
const [major, minor] = node.split(".").map(Number);
// Bun and Deno name the version of Node whose API they have, which is not what they can run.
if ((major < 22 || (major === 22 && minor < 19)) && bun === undefined && deno === undefined) {
  const advice = "Change to it, then install again, because npm left out packages that this one cannot run.";
  process.stderr.write(`vipscore needs Node 22.19 or newer, this is ${node}\n${advice}   [CONFIG_INVALID, exit 2]\n`);
  process.exitCode = 2;
} else {
  // Loaded only now: it imports modules that an older Node does not have.
  await import("../dist/bin.js");
}
