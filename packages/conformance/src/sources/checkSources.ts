import { InputError, type Vm } from "@vipscore/core";
import type { ContractCode } from "../contractCode.ts";
import type { Construction } from "./construction.ts";
import { checkEvmSources } from "./evmSources.ts";
import { checkMoveSources } from "./moveSources.ts";
import { checkWasmSources } from "./wasmSources.ts";

const asked: Readonly<Record<Exclude<Vm, "move">, string>> = {
  evm: "Give the build information of Hardhat or Foundry, or a standard JSON input of solc.",
  wasm: "Give the folder of the contract's Cargo.toml.",
};

/**
 * Checks what makes a contract safe by construction, and lists what a person must read where that does not follow.
 *
 * @param path - EVM: the build information of Hardhat or Foundry, or a plain standard JSON input of solc. Wasm: the folder of the
 * contract's `Cargo.toml`. Move: undefined, the compiled modules are read.
 * @throws InputError if there is nothing to check: the file is not the contract's, or nothing of vipscore's is in it.
 */
export async function checkSources(path: string | undefined, code: ContractCode): Promise<Construction> {
  const { vm } = code;
  if (vm === "move") {
    if (path === undefined) return checkMoveSources(code);
    throw new InputError("on Move the compiled modules are compared, not their sources", {
      metaMessages: ["Give no path."],
    });
  }
  if (path === undefined) throw new InputError("the path of the sources is missing", { metaMessages: [asked[vm]] });
  return vm === "wasm" ? checkWasmSources(path) : checkEvmSources(path, code);
}
