// Imports every entry that the installed packages name in `exports`.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { RELEASED_VERSION: released } = process.env;
let entries = 0;
for (const folder of readdirSync("node_modules/@vipscore")) {
  const { name, version, exports = {} } = JSON.parse(readFileSync(`node_modules/@vipscore/${folder}/package.json`));
  assert.equal(version, released, name);
  for (const [path, target] of Object.entries(exports)) {
    const specifier = name + path.slice(1);
    if (typeof target === "string") assert.notEqual(readFileSync(require.resolve(specifier)).length, 0, specifier);
    else assert.notDeepEqual(Object.keys(await import(specifier)), [], specifier);
    // A page does not build with a package that needs Node, or stops with what to take instead.
    if (target.browser) await assert.rejects(import(`./node_modules/${name}/${target.browser}`), /\/abi$/m);
    entries += 1;
  }
}
console.log(`${entries} entries`);
