import { execFile } from "node:child_process";
import { access, readdir, realpath } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The target of every CosmWasm contract. */
export const wasmTarget = "wasm32-unknown-unknown";

/** The source of the target's standard library: prebuilt with the compiler, or sources to build first. */
export type StdOrigin = "prebuilt" | "sources";

/** Everything that determines the bytes of a build; recorded beside the artifact. */
export interface ToolchainIdentity {
  /** The version from `rustc --version`, without a distribution's additions. */
  readonly rustc: string;
  readonly std: StdOrigin;
  /** The linker's version, or `rust-lld` for rustup's. */
  readonly linker: string;
}

/** A Rust toolchain that can build for {@link wasmTarget}. */
export interface Toolchain {
  readonly identity: ToolchainIdentity;
  readonly rustc: string;
  readonly cargo: string;
  /** The linker to pass to rustc; undefined if rustc includes one. */
  readonly linker?: string;
  /** Folders of the standard library's sources: their names get into the program and must be the same everywhere. */
  readonly sourceFolders: readonly string[];
}

/** Where to search. */
export interface SearchPlaces {
  /** Folders of programs, in order of preference. */
  readonly programFolders: readonly string[];
}

/** The folders of PATH, then /usr/bin, where a distribution installs its toolchain. */
export function systemPlaces(): SearchPlaces {
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return { programFolders: [...new Set([...path, "/usr/bin"])] };
}

/** What to do if {@link findToolchains} returns none, one line per option. */
export const installAdvice = [
  "No Rust toolchain here can build for wasm32-unknown-unknown. Install either",
  "  with rustup:           rustup component add rust-src",
  "  on Debian and Ubuntu:  apt-get install rustc-web cargo-web rust-web-src lld-19",
].join("\n");

/**
 * Finds every toolchain that can build for {@link wasmTarget}: first those with the standard library's sources, which give
 * the smaller module, then those with the prebuilt library.
 */
export async function findToolchains({ programFolders }: SearchPlaces = systemPlaces()): Promise<Toolchain[]> {
  const found = new Map<string, Toolchain>();
  for (const folder of programFolders) {
    const rustc = join(folder, "rustc");
    if (!(await exists(rustc))) continue;
    const sysroot = await sysrootOf(rustc);
    if (sysroot === undefined || found.has(sysroot)) continue;
    const toolchain = await inspectToolchain(sysroot, rustc, programFolders);
    if (toolchain !== undefined) found.set(sysroot, toolchain);
  }
  const all = [...found.values()];
  return [
    ...all.filter(({ identity }) => identity.std === "sources"),
    ...all.filter(({ identity }) => identity.std === "prebuilt"),
  ];
}

async function inspectToolchain(
  sysroot: string,
  rustcOnPath: string,
  programFolders: readonly string[],
): Promise<Toolchain | undefined> {
  // Under rustup the programs on PATH are proxies that pick a toolchain by folder and environment; these are the real programs.
  const rustc = await firstOf([join(sysroot, "bin", "rustc"), rustcOnPath]);
  const cargo = await firstOf([join(sysroot, "bin"), ...programFolders].map((folder) => join(folder, "cargo")));
  if (rustc === undefined || cargo === undefined) return undefined;
  const rustlib = join(sysroot, "lib", "rustlib");
  const sources = join(rustlib, "src", "rust");
  const hasSources = await exists(join(sources, "library", "std", "Cargo.toml"));
  if (!hasSources && !(await exists(join(rustlib, wasmTarget, "lib")))) return undefined;
  const { stdout } = await run(rustc, ["-vV"]);
  const [version = ""] = stdout.split("\n");
  const host = /^host: (.+)$/m.exec(stdout)?.[1] ?? "";
  const ownLinker = await exists(join(rustlib, host, "bin", "rust-lld"));
  const linker = ownLinker ? undefined : await findLinker(programFolders);
  if (!ownLinker && linker === undefined) return undefined;
  return {
    identity: {
      rustc: version.replace(/ \(built from.*$/, ""),
      std: hasSources ? "sources" : "prebuilt",
      linker: linker?.version ?? "rust-lld",
    },
    rustc,
    cargo,
    ...(linker === undefined ? {} : { linker: linker.file }),
    sourceFolders: hasSources ? [...new Set([sources, await realpath(sources)])] : [],
  };
}

/** Returns the newest `wasm-ld`: distributions put its version into the name. */
async function findLinker(programFolders: readonly string[]) {
  let newest: { readonly file: string; readonly rank: number } | undefined;
  for (const folder of programFolders) {
    for (const name of await readdir(folder).catch(() => [])) {
      const match = /^wasm-ld(?:-(\d+))?$/.exec(name);
      if (match === null) continue;
      const rank = match[1] === undefined ? Number.POSITIVE_INFINITY : Number(match[1]);
      if (newest === undefined || rank > newest.rank) newest = { file: join(folder, name), rank };
    }
  }
  if (newest === undefined) return undefined;
  const { stdout } = await run(newest.file, ["--version"]);
  return { file: newest.file, version: stdout.trim().replace(/ \(.*$/, "") };
}

async function sysrootOf(rustc: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(rustc, ["--print", "sysroot"]);
    return await realpath(stdout.trim());
  } catch {
    // For example a rustup proxy without a toolchain behind it.
    return undefined;
  }
}

async function firstOf(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) if (await exists(file)) return file;
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
