import type { Account } from "@vipscore/core";
import { buildVipnode } from "@vipscore/localnet";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Compiles the Move module of the reference's shape for its publisher. */
export async function compileMoveReference(publisher: Account): Promise<Buffer> {
  const vipnode = await buildVipnode({ vm: "move" });
  const contracts = dirname(createRequire(import.meta.url).resolve("@vipscore/contracts-move/package.json"));
  // In a copy, because a build leaves its files beside the sources.
  const scratch = await mkdtemp(join(tmpdir(), "vipscore-bench-"));
  try {
    await cp(join(contracts, "reference_shape"), scratch, { recursive: true });
    await run(vipnode, ["build", scratch, "--named-address", `vip_score=${publisher}`], { cwd: scratch });
    return await readFile(join(scratch, "build", "reference_shape", "bytecode_modules", "vip_score.mv"));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
