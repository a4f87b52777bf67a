import { resolve } from "node:path";
import { readPackedRelease } from "./packedRelease.ts";
import { runProgram } from "./runProgram.ts";

/**
 * `publishRelease.ts <folder>` publishes the packages that packRelease.ts wrote. Versions that the registry already holds
 * are left alone, so a release that stopped halfway can be run again. Needs nothing but Node and npm: no dependency runs
 * beside the right to publish.
 */
const [target = ""] = process.argv.slice(2);
if (target === "") throw new Error("usage: publishRelease.ts <folder>");
const folder = resolve(target);
for (const { name, version, file } of readPackedRelease(folder)) {
  const view = ["view", `${name}@${version}`, "version", "--json", "--loglevel", "silent"];
  // npm fails for a package that the registry does not hold.
  const found = await runProgram("npm", view, folder).catch(() => "");
  if (found.trim() === JSON.stringify(version)) {
    console.log(`${name}@${version}: already published`);
    continue;
  }
  await runProgram("npm", ["publish", `./${file}`, "--access", "public", "--ignore-scripts"], folder);
  console.log(`${name}@${version}: published`);
}
