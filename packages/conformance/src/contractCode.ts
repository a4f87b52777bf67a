import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { InputError, type Vm } from "@vipscore/core";
import { readMessageSchema, type JsonSchema } from "./wasmSchemaFile.ts";

/** A contract as its compiler wrote it. */
export interface ContractCode {
  readonly vm: Vm;
  /** The creation code of an EVM contract, a Move module compiled for any address, or a Wasm module. */
  readonly bytes: Buffer;
  /** EVM: the interface, which names the entry points; a contract of the other VMs does that itself. */
  readonly abi: Abi;
  /** Wasm: the schema of the messages, for a contract that does not name them when it refuses one. */
  readonly schema?: JsonSchema | undefined;
}

const published: Readonly<Record<Vm, string>> = {
  evm: "@vipscore/evm/artifacts/VipScore.json",
  move: "@vipscore/move/artifacts/vip_score.mv",
  wasm: "@vipscore/wasm/artifacts/vip_score.wasm",
};

/** Reads the contract that vipscore deploys. */
export function publishedCode(vm: Vm): Promise<ContractCode> {
  return readContractCode(createRequire(import.meta.url).resolve(published[vm]));
}

/**
 * Reads a compiled contract: the JSON of Hardhat or Foundry, a `.mv`, a Move package that was built, or a `.wasm`. The file
 * decides the VM. A schema in `schema/` of the folder of a `.wasm`, or of one above, is read too.
 *
 * @throws InputError for any other file.
 */
export async function readContractCode(path: string): Promise<ContractCode> {
  const file = await moduleFile(path);
  const bytes = await readFile(file);
  if (bytes.subarray(0, 4).toString("hex") === "a11ceb0b") return { vm: "move", bytes, abi: [] };
  if (bytes.subarray(0, 4).toString("latin1") === "\0asm") {
    return { vm: "wasm", bytes, abi: [], schema: await readMessageSchema(file) };
  }
  return readEvmArtifact(file, bytes);
}

/** Returns the compiled module of a Move package, or the file itself. */
async function moduleFile(path: string): Promise<string> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new InputError(`${path} cannot be read`, { code: "FILE_UNREADABLE", cause });
  });
  if (!found.isDirectory()) return path;
  const files = await readdir(path, { recursive: true });
  const modules = files.filter((name) => /(^|\/)bytecode_modules\/[^/]+\.mv$/.test(name));
  const module = modules.find((name) => name.endsWith("/vip_score.mv")) ?? modules[0];
  if (module !== undefined) return join(path, module);
  throw new InputError(`${path} has no compiled module`, { metaMessages: ["Build the Move package first."] });
}

function readEvmArtifact(file: string, bytes: Buffer): ContractCode {
  try {
    const artifact = JSON.parse(bytes.toString("utf8")) as {
      readonly abi: Abi;
      readonly bytecode: Hex | { readonly object: Hex };
    };
    const code = typeof artifact.bytecode === "string" ? artifact.bytecode : artifact.bytecode.object;
    if (!/^0x(?:[0-9a-f]{2})+$/i.test(code) || !Array.isArray(artifact.abi)) throw new TypeError("no linked bytecode");
    return { vm: "evm", bytes: Buffer.from(code.slice(2), "hex"), abi: artifact.abi };
  } catch (cause) {
    throw new InputError(`${file} is not a compiled contract`, {
      metaMessages: ["Give the JSON of Hardhat or Foundry, a .mv, a Move package that was built, or a .wasm."],
      cause,
    });
  }
}
