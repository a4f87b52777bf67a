import { resolve } from "node:path";
import { readPackedRelease } from "./packedRelease.ts";
import { runNpm } from "./runNpm.ts";

/**
 * `publishRelease.ts <folder>` publishes the packages that packRelease.ts wrote. Versions that the registry already holds
 * are left alone, so a release that stopped halfway can be run again. Needs nothing but Node and npm: no dependency runs
 * beside the right to publish.
 */
const [target = ""] = process.argv.slice(2);
if (target === "") throw new Error("usage: publishRelease.ts <folder>");
const folder = resolve(target);
for (const { name, version, file } of readPackedRelease(folder)) {
  const { stdout } = runNpm(["view", `${name}@${version}`, "version", "--json", "--loglevel", "silent"], folder);
  if (stdout.trim() === JSON.stringify(version)) {
    console.log(`${name}@${version}: already published`);
    continue;
  }
  const { status } = runNpm(["publish", `./${file}`, "--access", "public", "--ignore-scripts"], folder);
  if (status !== 0) throw new Error(`npm publish of ${name}@${version} ended with status ${status}`);
  console.log(`${name}@${version}: published`);
}
