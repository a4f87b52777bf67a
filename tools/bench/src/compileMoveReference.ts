import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { buildVipnode } from "@vipscore/localnet";

const run = promisify(execFile);

/** 32 bytes that nothing else in the module has. */
const placeholder = Buffer.from("vip_score::reference_placeholder", "ascii");

/**
 * Compiles the Move module of the reference's shape once.
 *
 * @returns a function that returns the module of a publisher with a 32-byte address.
 */
export async function compileMoveReference(): Promise<(publisher: Buffer) => Buffer> {
  const vipnode = await buildVipnode({ vm: "move" });
  const contracts = dirname(createRequire(import.meta.url).resolve("@vipscore/contracts-move/package.json"));
  // In a copy, because a build writes files beside the sources.
  const scratch = await mkdtemp(join(tmpdir(), "vipscore-bench-"));
  try {
    await cp(join(contracts, "test/reference_shape"), scratch, { recursive: true });
    const address = `vip_score=0x${placeholder.toString("hex")}`;
    await run(vipnode, ["build", scratch, "--named-address", address], { cwd: scratch });
    const code = await readFile(join(scratch, "build", "reference_shape", "bytecode_modules", "vip_score.mv"));
    const [from, text] = [placeholder.toString("latin1"), code.toString("latin1")];
    return (publisher) => Buffer.from(text.replaceAll(from, publisher.toString("latin1")), "latin1");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
