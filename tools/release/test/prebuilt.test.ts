import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { relocateElf } from "../src/prebuilt/buildPrograms.ts";
import { checkBinaries } from "../src/prebuilt/checkBinaries.ts";
import { licenseText, type GoModule } from "../src/prebuilt/licenseText.ts";
import { prebuiltNameOf } from "../src/prebuilt/prebuiltPlatform.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

async function writeProgram(...strings: readonly string[]): Promise<string> {
  const file = join(folder, "program");
  await writeFile(file, `\0${strings.join("\0")}\0`);
  return file;
}

describe("relocateElf", () => {
  it("replaces the folder of the libraries without moving anything", async () => {
    const file = await writeProgram("before", "/cache/vm@1/api", "/cache/vm@1/api/lib.go", "after");
    relocateElf(file, "/cache/vm@1/api");
    const padded = `$ORIGIN${"\0".repeat("/cache/vm@1/api".length - "$ORIGIN".length)}`;
    expect(await readFile(file, "utf8")).toBe(`\0before\0${padded}\0/cache/vm@1/api/lib.go\0after\0`);
  });

  it.each([[["/cache/other"]], [["/cache/vm", "x", "/cache/vm"]]])("refuses %j", async (strings) => {
    const file = await writeProgram(...strings);
    expect(() => relocateElf(file, "/cache/vm")).toThrow("/cache/vm");
  });
});

describe("checkBinaries", () => {
  it("returns the newest glibc that is needed", async () => {
    await writeProgram("GLIBC_2.2.5", "GLIBC_2.34", "GLIBC_2.9");
    expect(checkBinaries(folder, ["program"], ["/home/me/"])).toBe("2.34");
  });

  it("refuses a path of the machine, and a glibc that is too new", async () => {
    await writeProgram("/home/me/go/x.go");
    expect(() => checkBinaries(folder, ["program"], ["/home/me/"])).toThrow(/^program .*\/home\/me\/$/);
    await writeProgram("GLIBC_2.38");
    expect(() => checkBinaries(folder, ["program"], [])).toThrow("glibc 2.38");
  });
});

describe("licenseText", () => {
  async function writeModule(path: string, files: Readonly<Record<string, string>>): Promise<GoModule> {
    const at = join(folder, path);
    await mkdir(at, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(at, name), text);
    return { path, version: "v1.0.0", folder: at, folders: [at] };
  }

  it("starts with movevm's license, and has each text once", async () => {
    const text = licenseText("ours", folder, [
      await writeModule("example.org/a", { LICENSE: "same text" }),
      await writeModule("example.org/b", { "LICENSE.md": "same  text\n", NOTICE: "by b" }),
      await writeModule("github.com/initia-labs/movevm", {
        LICENSE: "Business Source License",
        "Cargo.lock": '[[package]]\nname = "crate-a"\nversion = "1.2.3"\n',
      }),
    ]);
    expect(text.indexOf("Business Source License\n")).toBeLessThan(text.indexOf("ours"));
    expect(text).toContain("- example.org/a v1.0.0\n- example.org/b v1.0.0\n\n~~~~text\nsame text\n~~~~");
    expect(text).toContain("- example.org/b v1.0.0\n\n~~~~text\nby b\n~~~~");
    expect(text).toContain("crate-a 1.2.3");
  });

  it("takes the headers of a module without a license file, and refuses one without either", async () => {
    const header = "// Copyright (c) Someone\n// SPDX-License-Identifier: MIT\n";
    const named = await writeModule("example.org/a", { "a.go": `${header}\npackage a\n` });
    expect(licenseText("ours", folder, [named])).toContain("Copyright (c) Someone\nSPDX-License-Identifier: MIT");
    const unnamed = await writeModule("example.org/b", { "b.go": "package b\n" });
    expect(() => licenseText("ours", folder, [unnamed])).toThrow("example.org/b");
  });
});

it.each([
  ["vipscore-vipnode-darwin-arm64-1.2.3.tgz", "@vipscore/vipnode-darwin-arm64"],
  ["vipscore-vipnode-darwin-arm64-1.2.2.tgz", undefined],
  ["vipscore-vipnode-win32-x64-1.2.3.tgz", undefined],
  ["vipscore-core-1.2.3.tgz", undefined],
])("%s is the tarball of %s", (file, name) => {
  expect(prebuiltNameOf(file, "1.2.3")).toBe(name);
});
