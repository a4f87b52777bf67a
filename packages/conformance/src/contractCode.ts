import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import type { Abi, Hex } from "viem";
import { InputError, readFileBytes, type Vm } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";

/** A contract as its compiler wrote it. */
export interface ContractCode {
  readonly vm: Vm;
  /** The creation code of an EVM contract, a Move module compiled for any address, or a Wasm module. */
  readonly bytes: Buffer;
  /** Move: the other modules of the package, such as friends, which are published with it. */
  readonly others?: readonly Buffer[];
  /** EVM: the interface, which names the entry points; a contract of the other VMs does that itself. */
  readonly abi: Abi;
  /** EVM: the file with the build information that an artifact of Hardhat 3 names. */
  readonly buildInfo?: string | undefined;
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
 * decides the VM.
 *
 * @throws InputError for any other file.
 */
export async function readContractCode(path: string): Promise<ContractCode> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  const bytes = isFolder ? undefined : await readFileBytes(path, path);
  if (bytes === undefined || bytes.toString("hex", 0, 4) === "a11ceb0b") return readMoveCode(path);
  if (bytes.toString("latin1", 0, 4) === "\0asm") return { vm: "wasm", bytes, abi: [] };
  return readSolidityCode(path, bytes);
}

/** Reads the modules that a deployment publishes, that of scores first. */
async function readMoveCode(path: string): Promise<ContractCode> {
  const { moduleName, readModules } = await import("@vipscore/move");
  const modules = await readModules(path);
  const scoring = modules.find(({ name }) => name === moduleName) ?? modules[0];
  if (scoring === undefined) throw new Error(`${path} has no module`);
  const others = modules.filter((module) => module !== scoring);
  return { vm: "move", bytes: scoring.code, abi: [], others: others.map(({ code }) => code) };
}

function readSolidityCode(file: string, bytes: Buffer): ContractCode {
  try {
    const artifact = JSON.parse(bytes.toString("utf8")) as {
      readonly abi: Abi;
      readonly bytecode: Hex | { readonly object: Hex };
      readonly buildInfoId?: string;
    };
    const code = typeof artifact.bytecode === "string" ? artifact.bytecode : artifact.bytecode.object;
    if (!/^0x(?:[0-9a-f]{2})+$/i.test(code) || !Array.isArray(artifact.abi)) throw new TypeError("no linked bytecode");
    requireUsable(file, artifact.abi);
    // Entries may leave out empty lists.
    const abi = artifact.abi.map((item) => Object.assign({ inputs: [], outputs: [] }, item)) as Abi;
    const { buildInfoId: id = "" } = artifact;
    // In the folder of the artifact, or in one of the eight above.
    const places = Array.from({ length: 9 }, (_, up) =>
      resolve(dirname(file), "../".repeat(up), "build-info", `${id}.json`),
    );
    const buildInfo = /^[\w-]+$/.test(id) ? places.find((path) => existsSync(path)) : undefined;
    return { vm: "evm", bytes: Buffer.from(code.slice(2), "hex"), abi, buildInfo };
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    throw new InputError(`${file} is not a compiled contract`, {
      metaMessages: ["Give the JSON of Hardhat or Foundry, a .mv, a Move package that was built, or a .wasm."],
      cause,
    });
  }
}

/** @throws InputError for an interface that no compiler writes, or whose contract is not created with a stage. */
function requireUsable(file: string, abi: Abi): void {
  for (const item of abi as readonly { type: string; name?: string; inputs?: readonly { type: string }[] }[]) {
    const { type, name = "", inputs = [] } = item;
    if (!/^(?:function|event|error|constructor|fallback|receive)$/.test(type) || !/^[\w$]*$/.test(name)) {
      throw new InputError(`${file}: its interface has an entry ${quoteText(`${type} ${name}`)}`);
    }
    const taken = inputs.map((input) => input.type).join(", ");
    if (type !== "constructor" || /^(?:uint64)?$/.test(taken)) continue;
    const expected = "a scoring contract's takes (uint64), the first stage";
    throw new InputError(`${file}: its interface has a constructor that takes (${quoteText(taken)}); ${expected}`);
  }
}
