import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { promisify } from "node:util";
import { binaryenVersion } from "./wasmOpt.ts";

const run = promisify(execFile);

/** The target of every CosmWasm contract. */
export const wasmTarget = "wasm32-unknown-unknown";

/** Debian's toolchain, whatever rustup puts on the PATH: a container `debian:12` gives the same bytes on every machine. */
export const programs = { rustc: "/usr/bin/rustc", cargo: "/usr/bin/cargo", linker: "/usr/bin/wasm-ld-19" } as const;

const debianPackages = "rustc-web cargo-web rust-web-src lld-19";

/** Folders of the standard library's sources: their names get into the module. */
const sources = "/usr/lib/rustlib/src/rust";

/** The versions that determine the bytes of a build; recorded beside the artifact. */
export interface Toolchain {
  /** From `rustc --version`, without Debian's additions. */
  readonly rustc: string;
  readonly linker: string;
  readonly binaryen: string;
}

/** @throws Error with what to install if a program is missing. */
export async function readToolchain(): Promise<Toolchain> {
  try {
    const [rustc, linker] = await Promise.all(
      [programs.rustc, programs.linker].map(async (program) => (await run(program, ["--version"])).stdout.trim()),
    );
    return {
      rustc: (rustc ?? "").replace(/ \(built from.*$/, ""),
      linker: (linker ?? "").replace(/ \(.*$/, ""),
      binaryen: binaryenVersion,
    };
  } catch (cause) {
    const advice = `In Debian 12 or a container of it: apt-get install ${debianPackages}`;
    throw new Error(`the toolchain of the Wasm contract is missing. ${advice}`, { cause });
  }
}

/** The folder of the standard library's sources, under both of its names. */
export async function sourceFolders(): Promise<readonly string[]> {
  return [sources, await realpath(sources)];
}

/** Describes a toolchain. */
export function describe({ rustc, linker, binaryen }: Toolchain): string {
  return `${rustc}, linker ${linker}, binaryen ${binaryen}`;
}
