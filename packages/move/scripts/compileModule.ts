import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildVipnode } from "@vipscore/localnet";

const run = promisify(execFile);

/** The folder of this repository's Move package. */
export const contractsFolder = join(import.meta.dirname, "..", "..", "..", "contracts", "move");

/** A compiled module, and the compiler's versions as it reports them. */
export interface CompiledModule {
  readonly code: Buffer;
  readonly toolchain: readonly string[];
}

/** Compiles the package in a folder for an address and returns its module `vip_score`. */
export async function compileModule(address: `0x${string}`, folder = contractsFolder): Promise<CompiledModule> {
  const vipnode = await buildVipnode({ vm: "move" });
  // In a copy, because a build leaves its files beside the sources.
  const scratch = await mkdtemp(join(tmpdir(), "vipscore-move-"));
  try {
    await cp(join(folder, "Move.toml"), join(scratch, "Move.toml"));
    await cp(join(folder, "sources"), join(scratch, "sources"), { recursive: true });
    await run(vipnode, ["build", scratch, "--named-address", `vip_score=${address}`], { cwd: scratch });
    // The build is named after the package.
    const [, packageName = ""] = /^name\s*=\s*"(\w+)"/m.exec(await readFile(join(scratch, "Move.toml"), "utf8")) ?? [];
    const code = await readFile(join(scratch, "build", packageName, "bytecode_modules", "vip_score.mv"));
    const { stdout } = await run(vipnode, ["version"]);
    return { code, toolchain: stdout.match(/^movevm \S+$/gm) ?? [] };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
