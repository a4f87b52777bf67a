import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import type { Abi, Hex } from "viem";
import { ifExists, InputError, readFileBytes, readFileText, type Vm } from "@vipscore/core";
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
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  const bytes = isFolder ? undefined : await readFileBytes(path, path);
  if (bytes === undefined || bytes.toString("hex", 0, 4) === "a11ceb0b") return readMoveCode(path);
  if (bytes.toString("latin1", 0, 4) === "\0asm") {
    return { vm: "wasm", bytes, abi: [], schema: await readMessageSchema(path) };
  }
  return readSolidityCode(path, bytes);
}

/** Reads the modules that a deployment publishes, that of scores first. */
async function readMoveCode(path: string): Promise<ContractCode> {
  const { readModules } = await import("@vipscore/move");
  const modules = await readModules(path);
  const scoring = modules.find(({ name }) => name === "vip_score") ?? modules[0];
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
    const places = foldersAbove(file, 9).map((folder) => join(folder, "build-info", `${id}.json`));
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

/** The most 32-byte words that a call, and the most entries that an interface, may have. */
const maxWords = 10_000;
const maxEntries = 1_000;

const itemPattern = /^(?:function|event|error|constructor|fallback|receive)$/;
const typePattern =
  /^(?:u?int(\d{1,3})|address|bool|string|bytes(?:[1-9]|[12]\d|3[0-2])?|function|tuple)((?:\[\d*\])*)$/;

interface AbiItem {
  readonly type: string;
  readonly name?: string;
  readonly inputs?: readonly AbiItem[];
  readonly outputs?: readonly AbiItem[];
  readonly components?: readonly AbiItem[];
}

/** @throws InputError for an interface whose calls cannot be written, or are too large for any chain. */
function requireUsable(file: string, abi: Abi): void {
  const refuse = (problem: string) => new InputError(`${file}: its interface ${problem}`);
  /** The words of a value; of a list without a length, those of three elements. */
  const wordsOf = ({ type, components }: AbiItem): number => {
    const [, bits = "8", lists] = typePattern.exec(type) ?? [];
    const isInteger = Number(bits) % 8 === 0 && Number(bits) > 0 && Number(bits) <= 256;
    if (lists === undefined || !isInteger || (type.startsWith("tuple") && components === undefined)) {
      throw refuse(`has the type ${quoteText(type)}, which is not known`);
    }
    const lengths = [...lists.matchAll(/\[(\d*)\]/g)].map(([, length = ""]) => (length === "" ? 3 : Number(length)));
    const words = (components ?? []).reduce((sum, part) => sum + wordsOf(part), 1);
    return lengths.reduce((product, length) => product * length, words);
  };
  if (abi.length > maxEntries) throw refuse(`has more than ${maxEntries} entries`);
  for (const { type, name = "", inputs = [], outputs = [] } of abi as readonly AbiItem[]) {
    const taken = inputs.map((input) => input.type).join(", ");
    if (type === "constructor" && !/^(?:uint64)?$/.test(taken)) {
      throw refuse(
        `has a constructor that takes (${quoteText(taken)}); a scoring contract's takes (uint64), the first stage`,
      );
    }
    if (!itemPattern.test(type) || !/^[\w$]{0,256}$/.test(name))
      throw refuse(`has an entry ${quoteText(`${type} ${name}`)}`);
    const words = [...inputs, ...outputs].reduce((sum, part) => sum + wordsOf(part), 0);
    if (words > maxWords) throw refuse(`has a call of ${quoteText(name)} with more than ${maxWords} words`);
  }
}

/** A JSON schema, the parts of it that schemas of CosmWasm messages use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** One schema for all elements, or one for each. */
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
}

/**
 * Reads the schema of a module's messages: `schema/my-contract.json`, as `cargo schema` writes it, in the folder of `my_contract.wasm`
 * or in one above. Undefined if there is none.
 *
 * @throws InputError for a file that is not such a schema.
 */
export async function readMessageSchema(file: string): Promise<JsonSchema | undefined> {
  const name = basename(file, ".wasm");
  // Cargo writes modules to target/wasm32-unknown-unknown/release.
  for (const folder of foldersAbove(file, 4)) {
    for (const schema of [`${name}.json`, `${name.replaceAll("_", "-")}.json`]) {
      const path = join(folder, "schema", schema);
      const text = await ifExists(readFileText(path, path));
      if (text !== undefined) return executeOf(path, text);
    }
  }
  return undefined;
}

/** Returns the folder of a file and those above it. */
function foldersAbove(file: string, most: number): readonly string[] {
  const folders = [dirname(resolve(file))];
  while (folders.length < most) folders.push(dirname(folders.at(-1) ?? ""));
  return folders;
}

function executeOf(path: string, text: string): JsonSchema {
  try {
    const { execute } = JSON.parse(text) as { readonly execute?: JsonSchema | null };
    if (typeof execute !== "object" || execute === null) throw new TypeError("no messages");
    return execute;
  } catch (cause) {
    throw new InputError(`${path} is not the schema of a contract's messages`, {
      metaMessages: ["Write it with `cargo schema`."],
      cause,
    });
  }
}
