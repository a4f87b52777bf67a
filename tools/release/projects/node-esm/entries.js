// Imports every entry that the installed packages name in `exports`, and starts every program that they name in `bin`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { RELEASED_VERSION: released } = process.env;
assert(existsSync("node_modules/.store"), "npm has not kept apart what each package declares");
let entries = 0;
for (const folder of readdirSync("node_modules/@vipscore")) {
  const {
    name,
    version,
    exports = {},
    bin = {},
  } = JSON.parse(readFileSync(`node_modules/@vipscore/${folder}/package.json`));
  assert.equal(version, released, name);
  for (const [path, target] of Object.entries(exports)) {
    const specifier = name + path.slice(1);
    if (typeof target === "string") assert.notEqual(readFileSync(require.resolve(specifier)).length, 0, specifier);
    else assert.notDeepEqual(Object.keys(await import(specifier)), [], specifier);
    if (target.browser) {
      // A page builds with a package that needs Node, and learns what to import instead when it calls a function.
      const inPage = await import(`./node_modules/${name}/${target.browser}`);
      assert.deepEqual(Object.keys(inPage), Object.keys(await import(specifier)), specifier);
      for (const value of Object.values(inPage)) if (typeof value === "function") assert.throws(value, /\/abi$/m);
    }
    entries += 1;
  }
  for (const program of Object.values(bin)) {
    const help = execFileSync(process.execPath, [`node_modules/${name}/${program}`, "--help"], { encoding: "utf8" });
    assert.match(help, /\busage\b/i, name);
  }
}
console.log(`${entries} entries`);
