import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { wasmTarget, type Toolchain } from "./findToolchains.ts";

/** A contract's crate. */
export interface ContractCrate {
  /** The folder of its Cargo.toml. */
  readonly folder: string;
  /** The folder of the Cargo.lock: the crate's workspace. */
  readonly workspace: string;
  /** The library's name. */
  readonly name: string;
  /** Whether a panic reports its text and place, if the standard library is built from source. */
  readonly hasPanicTexts: boolean;
}

/**
 * Compiles a crate in its release profile and returns the module from the linker.
 *
 * The same sources, lock and toolchain give the same bytes in any folder: every path that gets into the program is
 * renamed. Requests only instructions of WebAssembly 1.0, because recent compilers otherwise emit newer
 * instructions that wasmvm 2.2 refuses.
 *
 * @throws Error with cargo's output if it fails.
 */
export async function compileContract(crate: ContractCrate, toolchain: Toolchain, targetFolder: string) {
  const cargoHome = process.env["CARGO_HOME"] ?? join(homedir(), ".cargo");
  const manifest = ["--manifest-path", join(crate.folder, "Cargo.toml"), "--locked"];
  const env = {
    RUSTC: toolchain.rustc,
    RUSTC_WRAPPER: "",
    RUSTC_WORKSPACE_WRAPPER: "",
    CARGO_TARGET_DIR: targetFolder,
  };
  // First, so that the source folders of the crates exist and can be renamed.
  await cargo(toolchain, ["fetch", ...manifest], env);
  const buildStd = toolchain.identity.std === "sources";
  const flags = [
    ...fixedFlags,
    ...(buildStd && !crate.hasPanicTexts ? panicFlags : []),
    ...linkerFlags(toolchain),
    ...(await pathFlags(crate, toolchain, cargoHome)),
  ];
  await cargo(
    toolchain,
    [
      "rustc",
      ...manifest,
      "--release",
      "--lib",
      "--crate-type",
      "cdylib",
      "--target",
      wasmTarget,
      ...(buildStd ? stdFlags : []),
    ],
    {
      ...env,
      // Overrides RUSTFLAGS and every cargo configuration.
      CARGO_ENCODED_RUSTFLAGS: flags.join("\u001f"),
      // Debian's compiler is stable, and building the standard library is not a stable feature.
      ...(buildStd ? { RUSTC_BOOTSTRAP: "1" } : {}),
    },
  );
  return readFile(join(targetFolder, wasmTarget, "release", `${crate.name}.wasm`));
}

/** Without symbols; imports from the host are not errors. */
const fixedFlags = ["-Ctarget-cpu=mvp", "-Clink-arg=-s", "-Clink-arg=--allow-undefined"] as const;

/** Builds the standard library too, for size. */
const stdFlags = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"] as const;

/**
 * A panic stops the VM without a text. The texts, and the code that formats them, are a sixth of the module, and the contract's
 * failures are errors, not panics. A prebuilt standard library always includes them.
 */
const panicFlags = ["-Zunstable-options", "-Cpanic=immediate-abort"] as const;

function linkerFlags({ linker }: Toolchain): readonly string[] {
  return linker === undefined ? [] : [`-Clinker=${linker}`];
}

async function pathFlags(crate: ContractCrate, toolchain: Toolchain, cargoHome: string): Promise<readonly string[]> {
  const registries = join(cargoHome, "registry", "src");
  const renamed = [
    [cargoHome, "/cargo"],
    // A registry's folder is named after its address, which a mirror changes.
    ...(await readdir(registries)).map((name) => [join(registries, name), "/cargo/registry"]),
    [crate.workspace, "/contracts/wasm"],
    ...toolchain.sourceFolders.map((folder) => [folder, "/rust"]),
  ];
  return renamed.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
}

async function cargo(toolchain: Toolchain, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  // Remove the caller's settings that change what cargo builds.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(CARGO_(BUILD|PROFILE|TARGET|ENCODED)|RUST)/.test(name),
  );
  const child = spawn(toolchain.cargo, [...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  if (code !== 0) throw new Error(`cargo ${args.join(" ")} ended with status ${code}:\n${output}`);
}
