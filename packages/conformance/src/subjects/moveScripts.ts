import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { prepareVipnodes } from "@vipscore/localnet";
import { placeAddress, type ScriptFor } from "./moveCalls.ts";

/** Placeholder for the module's address in the compiled scripts; nothing else in them has these 32 bytes. */
const scriptPlaceholder = Buffer.from("conformance::address_placeholder", "ascii");

/** A package without dependencies. */
const manifest = `[package]
name = "scripts"
version = "1.0.0"

[addresses]
vip_score = "_"
`;

/** The published functions that are no entry functions, so that a transaction reaches them through a script. */
const names = ["update_score", "increase_score", "decrease_score"] as const;

const parameters = "(deployer: &signer, account: address, stage: u64, amount: u64)";

/** A module with these functions, so that the scripts compile without ours and its library, and a script for each. */
const sources = `module vip_score::vip_score {
${names.map((name) => `    public fun ${name}${parameters.replaceAll(/(\w+):/g, "_$1:")} { abort 0 }`).join("\n")}
}
${names.map((name) => `script { fun ${name}${parameters} { vip_score::vip_score::${name}(deployer, account, stage, amount); } }`).join("\n")}
`;

export async function compileMoveScripts(): Promise<ScriptFor> {
  const [vipnode = ""] = await prepareVipnodes({ vms: ["move"] });
  const scratch = await mkdtemp(join(tmpdir(), "vipscore-conformance-"));
  try {
    await writeFile(join(scratch, "Move.toml"), manifest);
    await mkdir(join(scratch, "sources"));
    await writeFile(join(scratch, "sources/scripts.move"), sources);
    const named = `vip_score=0x${scriptPlaceholder.toString("hex")}`;
    await promisify(execFile)(vipnode, ["build", scratch, "--named-address", named], { cwd: scratch });
    const folder = join(scratch, "build/scripts/bytecode_scripts");
    const codes = await Promise.all(names.map((name) => readFile(join(folder, `${name}.mv`))));
    const compiled = new Map<string, Buffer>(names.map((name, index) => [name, codes[index] ?? Buffer.of()]));
    return (name, address) =>
      placeAddress(compiled.get(name) ?? Buffer.of(), scriptPlaceholder, address).toString("base64");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
