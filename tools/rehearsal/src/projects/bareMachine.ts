import { existsSync, realpathSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { buildVipnodes } from "@vipscore/localnet";

/** The programs that Node's own installer puts on a machine, and a shell. */
const nodePrograms = ["node", "npm", "npx", "sh"] as const;

/** The programs with which authors of contracts build for Wasm, and which vipnode needs to build for Move. */
const authorPrograms = ["cargo", "cc", "go", "rustc", "rustup"] as const;

/**
 * Makes a folder that is the whole PATH of a machine with Node and nothing else: no compiler, no Python, no git, no Go.
 *
 * @param path The PATH that has Node and npm.
 * @returns The folder.
 */
export async function bareMachine(folder: string, path: string): Promise<string> {
  return linkPrograms(
    join(folder, "bin"),
    new Map(nodePrograms.map((program) => [program, findProgram(program, path)])),
  );
}

/**
 * Makes a folder that is on the PATH of an author of contracts in addition: compilers, and the local chains.
 *
 * @param path The PATH that has the compilers.
 * @returns The folder.
 */
export async function authorTools(folder: string, path: string): Promise<string> {
  const compilers = authorPrograms.map((program) => [program, findProgram(program, path)] as const);
  const [move = "", wasm = ""] = await buildVipnodes({ vms: ["move", "wasm"] });
  const chains = [["vipnode-move", move] as const, ["vipnode-wasm", wasm] as const];
  return linkPrograms(join(folder, "author-bin"), new Map([...compilers, ...chains]));
}

function findProgram(program: string, path: string): string {
  const found = path
    .split(delimiter)
    .map((each) => join(each, program))
    .find(existsSync);
  if (found === undefined) throw new Error(`there is no ${program} on the PATH`);
  return found;
}

async function linkPrograms(bin: string, programs: ReadonlyMap<string, string>): Promise<string> {
  await mkdir(bin);
  // npm finds its files from where it really is.
  for (const [program, found] of programs) await symlink(realpathSync(found), join(bin, program));
  return bin;
}
