import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writePrebuiltPackage } from "./prebuilt/prebuiltPackage.ts";
import { thisPlatform } from "./prebuilt/prebuiltPlatform.ts";
import { smokeTest } from "./prebuilt/smokeTest.ts";
import { runProgram } from "./runProgram.ts";

/**
 * `packPrebuilt.ts <folder>` builds the local Move and Wasm chains of the checkout in the current folder for this platform,
 * packs them into a tarball in the folder, and starts them from it. Needs Node, npm, Go and a C compiler.
 */
const [target = ""] = process.argv.slice(2);
if (target === "") throw new Error("usage: packPrebuilt.ts <folder>");
const folder = resolve(target);
mkdirSync(folder, { recursive: true });
const work = realpathSync(mkdtempSync(join(tmpdir(), "vipscore-prebuilt-")));
try {
  const staged = join(work, "staged");
  await writePrebuiltPackage(staged, thisPlatform());
  const packed = await runProgram("npm", ["pack", "--json", "--pack-destination", folder], staged);
  const [{ filename, unpackedSize }] = JSON.parse(packed) as readonly [{ filename: string; unpackedSize: number }];
  const tarball = join(folder, filename);
  await smokeTest(tarball, work);
  const [size, unpacked] = [statSync(tarball).size, unpackedSize].map((bytes) => (bytes / 1e6).toFixed(1));
  console.log(`${tarball}: ${size} MB, unpacked ${unpacked} MB`);
} finally {
  rmSync(work, { recursive: true });
}
