import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { GoModule } from "./goModules.ts";
import type { PrebuiltPlatform } from "./prebuiltPlatform.ts";
import { relocateProgram } from "./relocateProgram.ts";
import { runProgram } from "./runProgram.ts";

interface Program {
  readonly name: string;
  /** The Go module with the VM's libraries, and their folder in it. */
  readonly module: string;
  readonly folder: string;
  readonly libraries: readonly string[];
}

const programs: readonly Program[] = [
  {
    name: "vipnode-move",
    module: "github.com/initia-labs/movevm",
    folder: "api",
    libraries: ["libmovevm", "libcompiler"],
  },
  {
    name: "vipnode-wasm",
    module: "github.com/CosmWasm/wasmvm/v2",
    folder: "internal/api",
    libraries: ["libwasmvm"],
  },
];

/** Names of the programs. */
export const programNames: readonly string[] = programs.map(({ name }) => name);

/** Without paths of this machine, and without what only a debugger needs. */
const flags = ["-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false", "-ldflags=-s -w"];

/**
 * Builds the programs into a folder, with the VMs' libraries beside them, where the programs find them.
 *
 * @returns the names of the libraries.
 */
export function buildPrograms(
  sources: string,
  output: string,
  { librarySuffix }: PrebuiltPlatform,
  modules: readonly GoModule[],
): readonly string[] {
  mkdirSync(output, { recursive: true });
  runProgram("go", ["build", ...flags, "-o", `${output}/`, ...programNames.map((name) => `./cmd/${name}`)], sources);
  return programs.flatMap(({ name, module, folder, libraries }) => {
    const found = modules.find(({ path }) => path === module);
    if (found === undefined) throw new Error(`${name} is not built from ${module}`);
    const origin = join(found.folder, folder);
    relocateProgram(join(output, name), origin);
    return libraries.map((library) => {
      const file = `${library}${librarySuffix}`;
      copyFileSync(join(origin, file), join(output, file));
      // The module cache is read-only; npm and rm have to be able to remove a copy.
      chmodSync(join(output, file), 0o755);
      return file;
    });
  });
}
