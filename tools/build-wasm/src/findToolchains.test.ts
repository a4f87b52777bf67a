import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { chooseToolchain } from "./chooseToolchain.ts";
import { findToolchains, installAdvice, type Toolchain } from "./findToolchains.ts";
import { binaryenVersion } from "./wasmOpt.ts";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "vipscore-toolchains-")));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Creates a file of a toolchain; a program is a shell script. */
async function place(path: string, program?: string): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, program === undefined ? "" : `#!/bin/sh\n${program}\n`);
  if (program !== undefined) await chmod(file, 0o755);
}

function rustc(sysroot: string, version: string): string {
  const verbose = `rustc ${version} (built from a source tarball)\\nhost: x86_64-unknown-linux-gnu\\n`;
  return `if [ "$1" = -vV ]; then printf '${verbose}'; else echo "${join(root, sysroot)}"; fi`;
}

/** Debian's layout: sources of the library, a linker with its version in the name. */
async function placeDebian(): Promise<void> {
  await place("usr/bin/rustc", rustc("usr", "1.96.0 (ac68faa20 2026-05-25)"));
  await place("usr/bin/cargo", "exit 1");
  await place("usr/bin/wasm-ld-19", "echo 'Debian LLD 19.1.7 (compatible with GNU linkers)'");
  await place("usr/lib/rustlib/src/rust/library/std/Cargo.toml");
}

/** rustup's layout: proxies on PATH, the toolchain elsewhere with its own linker. */
async function placeRustup(hasTarget: boolean): Promise<void> {
  await place("cargo/bin/rustc", rustc("rustup/stable", "1.95.0 (59807616e 2026-04-14)"));
  await place("cargo/bin/cargo", "exit 1");
  await place("rustup/stable/bin/rustc", rustc("rustup/stable", "1.95.0 (59807616e 2026-04-14)"));
  await place("rustup/stable/bin/cargo", "exit 1");
  await place("rustup/stable/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld", "exit 1");
  if (hasTarget) await place("rustup/stable/lib/rustlib/wasm32-unknown-unknown/lib/libstd.rlib");
}

function find(): Promise<Toolchain[]> {
  return findToolchains({ programFolders: [join(root, "cargo/bin"), join(root, "usr/bin")] });
}

it("finds Debian's toolchain by its sources", async () => {
  await placeDebian();
  expect(await find()).toEqual([
    {
      identity: { rustc: "rustc 1.96.0 (ac68faa20 2026-05-25)", std: "sources", linker: "Debian LLD 19.1.7" },
      rustc: join(root, "usr/bin/rustc"),
      cargo: join(root, "usr/bin/cargo"),
      linker: join(root, "usr/bin/wasm-ld-19"),
      sourceFolders: [join(root, "usr/lib/rustlib/src/rust")],
    },
  ]);
});

it("prefers sources to a prebuilt library, and rustup's toolchain programs to the proxies", async () => {
  await placeDebian();
  await placeRustup(true);
  const [first, second] = await find();
  expect(first?.rustc).toBe(join(root, "usr/bin/rustc"));
  expect(second).toEqual({
    identity: { rustc: "rustc 1.95.0 (59807616e 2026-04-14)", std: "prebuilt", linker: "rust-lld" },
    rustc: join(root, "rustup/stable/bin/rustc"),
    cargo: join(root, "rustup/stable/bin/cargo"),
    sourceFolders: [],
  });
  await place("rustup/stable/lib/rustlib/src/rust/library/std/Cargo.toml");
  expect((await find()).map(({ identity }) => [identity.linker, identity.std])).toEqual([
    ["rust-lld", "sources"],
    ["Debian LLD 19.1.7", "sources"],
  ]);
});

it("skips a toolchain with neither the target nor the sources", async () => {
  await placeRustup(false);
  expect(await find()).toEqual([]);
  await placeDebian();
  expect((await find()).map(({ identity }) => identity.rustc)).toEqual(["rustc 1.96.0 (ac68faa20 2026-05-25)"]);
});

it("skips sources without a linker", async () => {
  await placeDebian();
  await rm(join(root, "usr/bin/wasm-ld-19"));
  expect(await find()).toEqual([]);
});

it("uses the newest linker", async () => {
  await placeDebian();
  await place("usr/bin/wasm-ld-9", "echo 'Debian LLD 9.0.1 (compatible with GNU linkers)'");
  await place("usr/bin/wasm-ld-21", "echo 'Debian LLD 21.1.0 (compatible with GNU linkers)'");
  expect((await find()).map(({ identity }) => identity.linker)).toEqual(["Debian LLD 21.1.0"]);
});

it("says what to install if nothing is found", () => {
  expect(() => chooseToolchain([], undefined, false)).toThrow(installAdvice);
});

it("builds with the recorded toolchain, or else with the first", async () => {
  await placeDebian();
  await placeRustup(true);
  const found = await find();
  const [debian, rustup] = found;
  const recorded = { ...debian!.identity, binaryen: binaryenVersion };
  expect(chooseToolchain(found, recorded, false)).toBe(debian);
  expect(chooseToolchain(found, recorded, true)).toBe(debian);
  expect(chooseToolchain([rustup!, debian!], recorded, true)).toBe(debian);
  expect(chooseToolchain(found, undefined, false)).toBe(debian);
  expect(chooseToolchain([rustup!], recorded, false)).toBe(rustup);
});

it("checks only with the recorded toolchain and optimizer", async () => {
  await placeDebian();
  const found = await find();
  const recorded = { ...found[0]!.identity, binaryen: binaryenVersion };
  const older = { ...recorded, rustc: "rustc 1.95.0 (59807616e 2026-04-14)" };
  expect(() => chooseToolchain(found, older, true)).toThrow(/\brustc 1\.95\.0 .*\n.*\n {2}rustc 1\.96\.0 /);
  expect(() => chooseToolchain(found, { ...recorded, binaryen: "1.0.0" }, true)).toThrow(/\bbinaryen 1\.0\.0\b/);
});
