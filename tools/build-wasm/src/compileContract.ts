import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { programs, sourceFolders, wasmTarget } from "./toolchain.ts";

const run = promisify(execFile);

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
