import { execFile } from "node:child_process";
import { readdir, readFile, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { binaryenVersion } from "./checkModule.ts";

const run = promisify(execFile);

/** The target of every CosmWasm contract. */
const wasmTarget = "wasm32-unknown-unknown";

/** Debian's toolchain, whatever rustup puts on the PATH: a container `debian:12` gives the same bytes on every machine. */
const programs = { rustc: "/usr/bin/rustc", cargo: "/usr/bin/cargo", linker: "/usr/bin/wasm-ld-19" } as const;

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
async function sourceFolders(): Promise<readonly string[]> {
  return [sources, await realpath(sources)];
}

/** Describes a toolchain. */
export function describe({ rustc, linker, binaryen }: Toolchain): string {
  return `${rustc}, linker ${linker}, binaryen ${binaryen}`;
}

/** A contract's crate. */
export interface ContractCrate {
  /** The folder of its Cargo.toml. */
  readonly folder: string;
  /** The folder of the Cargo.lock: the crate's workspace. */
  readonly workspace: string;
  /** The library's name. */
  readonly name: string;
  /** Whether a panic reports its text and place. */
  readonly hasPanicTexts: boolean;
}

/**
 * Compiles a crate in its release profile and returns the module from the linker. Builds the standard library too.
 *
 * The same sources, lock and toolchain give the same bytes in any folder: every path that gets into the module is
 * renamed. Requests only instructions of WebAssembly 1.0, because recent compilers otherwise emit newer
 * instructions that wasmvm 2.2 refuses.
 *
 * @throws Error with cargo's output if it fails.
 */
export async function compileContract(crate: ContractCrate, targetFolder: string): Promise<Buffer> {
  const manifest = ["--manifest-path", join(crate.folder, "Cargo.toml"), "--locked"];
  const env = {
    RUSTC: programs.rustc,
    RUSTC_WRAPPER: "",
    RUSTC_WORKSPACE_WRAPPER: "",
    CARGO_TARGET_DIR: targetFolder,
  };
  // First, so that the source folders of the crates exist and can be renamed.
  await cargo(["fetch", ...manifest], env);
  const flags = [...fixedFlags, ...(crate.hasPanicTexts ? [] : panicFlags), ...(await pathFlags(crate))];
  const outputs = ["--release", "--lib", "--crate-type", "cdylib", "--target", wasmTarget];
  await cargo(["rustc", ...manifest, ...outputs, ...stdFlags], {
    ...env,
    // Overrides RUSTFLAGS and every cargo configuration.
    CARGO_ENCODED_RUSTFLAGS: flags.join("\u001f"),
    // Debian's compiler is stable, and building the standard library is not a stable feature.
    RUSTC_BOOTSTRAP: "1",
  });
  return readFile(join(targetFolder, wasmTarget, "release", `${crate.name}.wasm`));
}

/** Without symbols; imports from the host are not errors. */
const fixedFlags = [
  "-Ctarget-cpu=mvp",
  "-Clink-arg=-s",
  "-Clink-arg=--allow-undefined",
  `-Clinker=${programs.linker}`,
] as const;

/** Builds the standard library for size. */
const stdFlags = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"] as const;

/**
 * A panic stops the VM without a text. The texts, and the code that formats them, are a sixth of the module, and the contract's
 * failures are errors, not panics.
 */
const panicFlags = ["-Zunstable-options", "-Cpanic=immediate-abort"] as const;

async function pathFlags(crate: ContractCrate): Promise<readonly string[]> {
  const cargoHome = process.env["CARGO_HOME"] ?? join(homedir(), ".cargo");
  const registries = join(cargoHome, "registry", "src");
  const renamed = [
    [cargoHome, "/cargo"],
    // A registry's folder is named after its address, which a mirror changes.
    ...(await readdir(registries)).map((name) => [join(registries, name), "/cargo/registry"]),
    [crate.workspace, "/contracts/wasm"],
    ...(await sourceFolders()).map((folder) => [folder, "/rust"]),
  ];
  return renamed.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
}

async function cargo(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  // Remove the caller's settings that change what cargo builds.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(CARGO_(BUILD|PROFILE|TARGET|ENCODED)|RUST)/.test(name),
  );
  try {
    await run(programs.cargo, args, {
      env: { ...Object.fromEntries(inherited), ...env },
      maxBuffer: Number.POSITIVE_INFINITY,
    });
  } catch (error) {
    const { stderr = "" } = error as { readonly stderr?: string };
    throw new Error(`cargo ${args.join(" ")} failed:\n${stderr}`, { cause: error });
  }
}
