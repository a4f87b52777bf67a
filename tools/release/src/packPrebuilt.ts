import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writePrebuiltPackage } from "./prebuilt/prebuiltPackage.ts";
import { thisPlatform } from "./prebuilt/prebuiltPlatform.ts";
import { smokeTest } from "./prebuilt/smokeTest.ts";
import { runNpm } from "./runNpm.ts";

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
  writePrebuiltPackage(staged, thisPlatform());
  const { status, stdout } = runNpm(["pack", "--json", "--pack-destination", folder], staged);
  const [packed] = status === 0 ? (JSON.parse(stdout) as readonly Packed[]) : [];
  if (packed === undefined) throw new Error(`npm pack ended with status ${status}`);
  const tarball = join(folder, packed.filename);
  await smokeTest(tarball, work);
  console.log(`${tarball}: ${megabytes(statSync(tarball).size)} MB, unpacked ${megabytes(packed.unpackedSize)} MB`);
} finally {
  rmSync(work, { recursive: true });
}

/** The fields of `npm pack --json` that are read. */
interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
