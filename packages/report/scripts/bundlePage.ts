import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// Bundles the scripts of the page into bundle/, from which renderReport reads them. Libraries that the bundles contain are named
// with their licenses at the end of each.

const folder = new URL("../bundle/", import.meta.url);
await mkdir(folder, { recursive: true });
for (const name of ["page", "worker"]) await writeFile(new URL(`${name}.js`, folder), await bundle(name));

/** @throws Error if the script could end the block of the page that it is in. */
async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../page/${name}.ts`, import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    platform: "browser",
    format: "iife",
    target: "es2022",
    conditions: ["@vipscore/source"],
  });
  const text = outputFiles[0]?.text ?? "";
  if (/<\/script|<!--/i.test(text)) throw new Error(`${name} ends or comments out the script that it is in`);
  return text;
}
