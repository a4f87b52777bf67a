import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProgram } from "../runProgram.ts";
import type { GoModule } from "./licenseText.ts";
import type { PrebuiltPlatform } from "./prebuiltPlatform.ts";

interface Program {
  readonly name: string;
  /** The Go module with the VM's libraries, and their folder in it. */
  readonly module: string;
  readonly folder: string;
  readonly libraries: readonly string[];
  /** The folder in it with the sources of the standard library. */
  readonly standardLibrary?: string;
}

const programs: readonly Program[] = [
  {
    name: "vipnode-move",
    module: "github.com/initia-labs/movevm",
    folder: "api",
    libraries: ["libmovevm", "libcompiler"],
    standardLibrary: "precompile/modules",
  },
  {
    name: "vipnode-wasm",
    module: "github.com/CosmWasm/wasmvm/v2",
    folder: "internal/api",
    libraries: ["libwasmvm"],
  },
];

export const programNames: readonly string[] = programs.map(({ name }) => name);

/** Without paths of this machine, and without what only a debugger needs. */
const flags = ["-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false", "-ldflags=-s -w"];

/**
 * Builds the programs into a folder, with the VMs' libraries and Move's standard library beside them, where they find these.
 *
 * @returns the names of the libraries.
 */
export async function buildPrograms(
  sources: string,
  output: string,
  { librarySuffix }: PrebuiltPlatform,
  modules: readonly GoModule[],
): Promise<readonly string[]> {
  mkdirSync(output, { recursive: true });
  await runProgram(
    "go",
    ["build", ...flags, "-o", `${output}/`, ...programNames.map((name) => `./cmd/${name}`)],
    sources,
  );
  const copied: string[] = [];
  for (const { name, module, folder, libraries, standardLibrary } of programs) {
    const found = modules.find(({ path }) => path === module);
    if (found === undefined) throw new Error(`${name} is not built from ${module}`);
    const origin = join(found.folder, folder);
    await relocateProgram(join(output, name), origin);
    for (const library of libraries) {
      const file = `${library}${librarySuffix}`;
      copyFileSync(join(origin, file), join(output, file));
      // The module cache is read-only; npm and rm have to be able to remove a copy.
      chmodSync(join(output, file), 0o755);
      copied.push(file);
    }
    if (standardLibrary !== undefined) {
      copySources(join(found.folder, standardLibrary), join(output, `${module}@${found.version}`, standardLibrary));
    }
  }
  return copied;
}

/** Copies the Move packages of a folder, with their tests, which modules name as friends. */
function copySources(from: string, to: string): void {
  for (const path of readdirSync(from, { recursive: true, encoding: "utf8" })) {
    if (!/(?:^|\/)Move\.toml$|\.move$/.test(path)) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), readFileSync(join(from, path)));
  }
}

/**
 * Makes a program find its libraries beside itself instead of in `folder`, where it was linked with them: cgo writes that path
 * into the program, and no flag of the compiler removes it.
 */
async function relocateProgram(program: string, folder: string): Promise<void> {
  if (process.platform === "darwin") await relocateMachO(program, folder);
  else relocateElf(program, folder);
}

/**
 * Overwrites the path in the string table of an ELF file, padded to its length.
 *
 * @throws Error if the file does not have exactly this path.
 */
export function relocateElf(program: string, folder: string): void {
  const bytes = readFileSync(program);
  const linked = Buffer.from(`\0${folder}\0`);
  const start = bytes.indexOf(linked);
  if (start < 0 || bytes.includes(linked, start + 1)) throw new Error(`${program} does not name ${folder} once`);
  const beside = Buffer.alloc(linked.length);
  beside.write("$ORIGIN", 1);
  beside.copy(bytes, start);
  writeFileSync(program, bytes);
}

/** A changed program needs a new signature, or macOS kills it. */
async function relocateMachO(program: string, folder: string): Promise<void> {
  await runProgram("install_name_tool", ["-delete_rpath", folder, "-add_rpath", "@loader_path", program], ".");
  await runProgram("codesign", ["--force", "--sign", "-", program], ".");
}
