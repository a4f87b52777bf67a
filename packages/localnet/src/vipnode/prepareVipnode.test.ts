import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findPrebuiltVipnode, localnetVersion, prebuiltName } from "./prepareVipnode.ts";

let folder: string;
/** A module beside which the prebuilt package is installed. */
let from: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "vipscore-prebuilt-")));
  from = join(folder, "localnet.js");
});
afterEach(() => rm(folder, { recursive: true }));

async function installVersion(version: string): Promise<string> {
  const path = join(folder, "node_modules", prebuiltName);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "package.json"), JSON.stringify({ name: prebuiltName, version }));
  return path;
}

test("finds the programs of the same version", async () => {
  const path = await installVersion(localnetVersion);
  const found = findPrebuiltVipnode(from);
  expect("program" in found && found.program("move")).toBe(join(path, "bin", "vipnode-move"));
});

test("ignores another version and names both", async () => {
  await installVersion("0.0.1");
  expect(findPrebuiltVipnode(from)).toEqual({
    missing: expect.stringMatching(
      new RegExp(`^${prebuiltName} .*\\b0\\.0\\.1\\b.*\\b${localnetVersion}\\b`),
    ) as string,
  });
});

test("names the package that is missing", () => {
  expect(findPrebuiltVipnode(from)).toEqual({
    missing: expect.stringContaining(`@vipscore/vipnode-${process.platform}-${process.arch} `) as string,
  });
});
