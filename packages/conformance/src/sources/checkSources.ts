import { glob, stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "@vipscore/core";
import type { ContractCode } from "../contractCode.ts";
import type { Construction } from "./construction.ts";
import { checkEvmSources } from "./evmSources.ts";
import { checkMoveSources } from "./moveSources.ts";

/**
 * Checks what makes a contract safe by construction, and lists what a person must read where that does not follow.
 *
 * @param given - EVM: the build information of Hardhat or Foundry, or a plain standard JSON input of solc; undefined if the artifact
 * of Hardhat 3 names it. Move: undefined, the compiled modules are read.
 * @throws InputError if there is nothing to check: the file is not the contract's, nothing of vipscore's is in it, or the contract
 * is one of Wasm.
 */
export async function checkSources(given: string | undefined, code: ContractCode): Promise<Construction> {
  const { vm, buildInfo } = code;
  const path = given ?? buildInfo;
  if (vm === "move") {
    if (path === undefined) return checkMoveSources(code);
    throw new InputError("on Move the compiled modules are compared, not their sources", {
      metaMessages: ["Give no path."],
    });
  }
  if (vm === "wasm") {
    throw new InputError(
      "nothing follows from the sources of a Wasm contract: all its code can write all its storage",
      {
        metaMessages: ["Give no sources, and read each line of the contract's own crates that touches storage."],
      },
    );
  }
  if (path === undefined) {
    throw new InputError("the path of the sources is missing", {
      metaMessages: ["Give the build information of Hardhat or Foundry, or a standard JSON input of solc."],
    });
  }
  await refuseFolder(path);
  return checkEvmSources(path, code);
}

/** @throws InputError for a folder, with the files in it that are build information. */
async function refuseFolder(path: string): Promise<void> {
  if ((await stat(path).catch(() => undefined))?.isDirectory() !== true) return;
  const found: string[] = [];
  for await (const file of glob("{artifacts,out}/build-info/*.json", { cwd: path })) {
    // Hardhat writes the compiler's output beside its input.
    if (!file.endsWith(".output.json")) found.push(join(path, file));
  }
  const [hardhat, foundry] = ["artifacts", "out"].map((name) => join(path, name, "build-info", "*.json"));
  const written = `Hardhat writes it to ${hardhat}, Foundry with build_info = true in foundry.toml to ${foundry}.`;
  throw new InputError(`${path} is a folder, and the build information is a JSON file in it`, {
    code: "FILE_UNREADABLE",
    metaMessages: found.length === 0 ? [written] : ["Give that of the contract:", ...found],
  });
}
