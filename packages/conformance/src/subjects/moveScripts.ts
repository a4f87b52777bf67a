import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { prepareVipnodes } from "@vipscore/localnet";
import { placeAddress } from "./placeAddress.ts";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "..", "..", "move");

/** Placeholder for the module's address in the compiled scripts; nothing else in them has these 32 bytes. */
const placeholder = Buffer.from("conformance::address_placeholder", "ascii");

/** The functions of the module that only a script can call. */
export type ScriptName = "update_score" | "increase_score" | "decrease_score";

/** Returns a compiled script, base64, that calls the module at a 32-byte address. */
export type ScriptFor = (name: ScriptName, address: Buffer) => string;

/** Compiles the scripts of `move/one_score.move` for any address. */
export async function compileMoveScripts(): Promise<ScriptFor> {
  const [vipnode = ""] = await prepareVipnodes({ vms: ["move"] });
  // In a copy, because a build writes files beside the sources.
  const scratch = await mkdtemp(join(tmpdir(), "vipscore-conformance-"));
  try {
    await cp(join(folder, "Move.toml"), join(scratch, "Move.toml"));
    for (const file of ["vip_score.move", "one_score.move"]) {
      await cp(join(folder, file), join(scratch, "sources", file));
    }
    const address = `vip_score=0x${placeholder.toString("hex")}`;
    await run(vipnode, ["build", scratch, "--named-address", address], { cwd: scratch });
    const read = (name: ScriptName) => readFile(join(scratch, "build", "one_score", "bytecode_scripts", `${name}.mv`));
    const scripts = {
      update_score: await read("update_score"),
      increase_score: await read("increase_score"),
      decrease_score: await read("decrease_score"),
    };
    return (name, moduleAddress) => placeAddress(scripts[name], placeholder, moduleAddress).toString("base64");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
