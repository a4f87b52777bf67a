// Builds the page and the worker, and measures what browsers download: of a part alone, and of the page on each VM.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const common = { bundle: true, minify: true, format: "esm", target: "es2022" };
await build({ ...common, entryPoints: ["src/worker.ts"], outfile: "dist/worker.js" });
const page = { entryPoints: ["src/main.ts", "src/style.css"], splitting: true, outdir: "esbuild/src", metafile: true };
const { outputs } = (await build({ ...common, ...page })).metafile;
writeFileSync("esbuild/index.html", readFileSync("index.html", "utf8").replace("main.ts", "main.js"));

const sizes = [];
const measure = (name, contents) => {
  const bytes = contents.reduce((sum, each) => sum + gzipSync(each, { level: 9 }).length, 0);
  sizes.push(`${name} ${(bytes / 1000).toFixed(1)} kB`);
};
const parts = {
  client: 'export { openIndexer, tokensByAccount } from "@vipscore/indexer-client"',
  checkProofs: 'export { checkProofs } from "@vipscore/snapshot"',
  vipScoreAbi: 'export { vipScoreAbi } from "@vipscore/contracts-evm/abi"',
};
for (const [name, contents] of Object.entries(parts)) {
  const { outputFiles } = await build({ ...common, stdin: { contents, resolveDir: "." }, write: false });
  measure(name, [outputFiles[0].contents]);
}
for (const vm of ["evm", "move", "wasm"]) {
  const entries = Object.keys(outputs).filter((path) => outputs[path].entryPoint === `src/${vm}.ts`);
  const files = new Set(["esbuild/src/main.js", ...entries]);
  // What is imported on demand, such as the recovery of a signature, is not loaded.
  for (const file of files)
    for (const { path, kind } of outputs[file].imports) if (kind === "import-statement") files.add(path);
  measure(
    `page on ${vm}`,
    [...files].map((file) => readFileSync(file)),
  );
}
console.log(sizes.join(", "));
