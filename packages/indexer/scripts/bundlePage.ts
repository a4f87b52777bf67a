import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// Bundles the script of the page at `/` into bundle/, from which scorePage reads it.
await build({
  entryPoints: [fileURLToPath(new URL("../page/page.ts", import.meta.url))],
  outfile: fileURLToPath(new URL("../bundle/page.js", import.meta.url)),
  minify: true,
  format: "iife",
  target: "es2022",
});
