import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildVipnode } from "@vipscore/localnet";

const run = promisify(execFile);
const here = import.meta.dirname;

/** Placeholder for the module's address in the compiled scripts; nothing else in them has these 32 bytes. */
const placeholder = Buffer.from("conformance::address_placeholder", "ascii");

/** The functions of the module that only a script can call. */
export type ScriptName = "update_score" | "increase_score" | "decrease_score";

/** Returns a compiled script, base64, that calls the module at a 32-byte address. */
export type ScriptFor = (name: ScriptName, address: Buffer) => string;

/** Compiles the scripts of `move/one_score.move` together with the module of contracts/move, for any address. */
export async function compileMoveScripts(): Promise<ScriptFor> {
  const vipnode = await buildVipnode({ vm: "move" });
  const contract = join(here, "..", "..", "..", "..", "contracts", "move");
  // In a copy, because a build writes files beside the sources.
  const scratch = await mkdtemp(join(tmpdir(), "vipscore-conformance-"));
  try {
    await cp(join(contract, "Move.toml"), join(scratch, "Move.toml"));
    await cp(join(contract, "sources"), join(scratch, "sources"), { recursive: true });
    await cp(join(here, "..", "..", "move", "one_score.move"), join(scratch, "sources", "one_score.move"));
    const address = `vip_score=0x${placeholder.toString("hex")}`;
    await run(vipnode, ["build", scratch, "--named-address", address], { cwd: scratch });
    const read = (name: ScriptName) => readFile(join(scratch, "build", "vip_score", "bytecode_scripts", `${name}.mv`));
    const scripts = {
      update_score: await read("update_score"),
      increase_score: await read("increase_score"),
      decrease_score: await read("decrease_score"),
    };
    return (name, moduleAddress) => placeScript(scripts[name], moduleAddress).toString("base64");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function placeScript(script: Buffer, address: Buffer): Buffer {
  const at = script.indexOf(placeholder);
  if (at === -1) throw new Error("the compiled script does not name the module's address");
  const placed = Buffer.from(script);
  address.copy(placed, at);
  return placed;
}
