import { isHex, type Hex } from "viem";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import { readFileBytes, type ContractFeatures } from "@vipscore/core";
import { allFeatures, artifactRefused } from "@vipscore/core/engine";
import { isObject, parseObject } from "@vipscore/core/wire";
import { featuresOf, missingFunctions } from "./identifyContract.ts";
import { vipScoreBytecode } from "./vipScoreBytecode.generated.ts";

/** The code of a scoring contract to deploy. */
export interface EvmArtifact {
  /** The creation code, to which the first stage is appended. */
  readonly bytecode: Hex;
  /** Where the constructor writes immutable variables into the deployed code, in bytes. */
  readonly immutables: readonly ImmutableRange[];
  readonly features: ContractFeatures;
}

interface ImmutableRange {
  readonly start: number;
  readonly length: number;
}

export const vipScoreArtifact: EvmArtifact = {
  bytecode: vipScoreBytecode,
  immutables: [],
  features: allFeatures,
};

/**
 * Reads the artifact of a scoring contract, as Hardhat and Foundry write it.
 *
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` if the file is not such an artifact, the code is not linked, the
 * constructor does not take the first stage alone, or the contract lacks a published function.
 */
export async function readEvmArtifact(file: string): Promise<EvmArtifact> {
  const artifact = await readArtifactJson(file);
  const bytecode = codeIn(artifact["bytecode"]);
  const deployed = codeIn(artifact["deployedBytecode"]);
  const { abi } = artifact;
  if (bytecode === undefined || deployed === undefined || !Array.isArray(abi)) {
    throw artifactRefused(file, "it is not an artifact of Hardhat or Foundry", [
      "Pass the JSON file of one contract that can be deployed, with its abi, bytecode and deployedBytecode.",
    ]);
  }
  if (!isHex(bytecode))
    throw artifactRefused(file, "a library in its code is not linked", ["Link it, and compile again."]);
  const constructor: unknown = abi.find((item) => isObject(item) && item["type"] === "constructor");
  const taken = typesOf(constructor).join(", ");
  if (taken !== "uint64") {
    throw artifactRefused(file, `its constructor takes (${taken}), not (uint64): the first stage`, [
      "Pass further values in a constant or with a function of the owner, or deploy with your own tool.",
    ]);
  }
  const missing = missingFunctions(bytecode);
  if (missing.length > 0) {
    throw artifactRefused(file, `the contract lacks published functions: ${missing.join(", ")}`, [
      "A scoring contract keeps the whole published interface, IPublishedVipScore; it may add to it.",
    ]);
  }
  const immutables = immutablesOf(artifact);
  const isInside = ({ start, length }: ImmutableRange): boolean =>
    Number.isInteger(start) &&
    Number.isInteger(length) &&
    start >= 0 &&
    length > 0 &&
    2 * (start + length) < deployed.length;
  const bytes = immutables.reduce((sum, { length }) => sum + length, 0);
  if (!immutables.every(isInside) || 2 * bytes >= deployed.length) {
    throw artifactRefused(file, "its immutableReferences are not inside of its code");
  }
  return { bytecode, immutables, features: featuresOf(bytecode) };
}

/**
 * Returns the errors of an artifact as `connectEvm` takes them, without ours.
 *
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` if the file is not JSON.
 */
export async function readEvmErrors(file: string): Promise<readonly string[]> {
  return errorsOf((await readArtifactJson(file))["abi"]);
}

/** Returns the errors of an interface as `connectEvm` takes them, without ours. */
export function errorsOf(abi: unknown): readonly string[] {
  const ours = new Set<string>(vipScoreAbi.flatMap((item) => ("name" in item ? [item.name] : [])));
  const items: readonly unknown[] = Array.isArray(abi) ? abi : [];
  return items.flatMap((item) => {
    if (!isObject(item) || item["type"] !== "error") return [];
    const name = String(item["name"]);
    return ours.has(name) ? [] : [`${name}(${typesOf(item).join(",")})`];
  });
}

/** Returns whether deployed code is that of the artifact, whatever its constructor wrote into it. */
export function isCodeOf({ bytecode, immutables }: EvmArtifact, deployed: Hex): boolean {
  let code = deployed.slice(2);
  for (const { start, length } of immutables) {
    code = code.slice(0, 2 * start) + "00".repeat(length) + code.slice(2 * (start + length));
  }
  // The creation code contains the deployed code, with zeros for immutable variables.
  return bytecode.includes(code);
}

async function readArtifactJson(file: string): Promise<Readonly<Record<string, unknown>>> {
  const artifact = parseObject((await readFileBytes(file, file)).toString());
  if (artifact !== undefined) return artifact;
  throw artifactRefused(file, "it is not JSON of Hardhat or Foundry");
}

/** The code in a field: a text in Hardhat's artifacts, an object with one in Foundry's; undefined if there is no code. */
function codeIn(field: unknown): string | undefined {
  const code = isObject(field) ? field["object"] : field;
  return typeof code === "string" && /^0x./.test(code) ? code : undefined;
}

/** The types of what a constructor or an error takes. */
function typesOf(item: unknown, list = "inputs"): readonly string[] {
  const inputs = isObject(item) ? item[list] : [];
  const typeOf = (input: unknown): string => {
    const type = isObject(input) ? String(input["type"]) : "";
    return type.replace(/^tuple/, () => `(${typesOf(input, "components").join(",")})`);
  };
  return Array.isArray(inputs) ? inputs.map(typeOf) : [];
}

/** Hardhat has the places of immutable variables in the artifact, Foundry in its `deployedBytecode`. */
function immutablesOf(artifact: Readonly<Record<string, unknown>>): readonly ImmutableRange[] {
  const { deployedBytecode } = artifact;
  const places = isObject(deployedBytecode) ? deployedBytecode["immutableReferences"] : artifact["immutableReferences"];
  return isObject(places) ? Object.values(places).flat().filter(isRange) : [];
}

function isRange(value: unknown): value is ImmutableRange {
  return isObject(value) && typeof value["start"] === "number" && typeof value["length"] === "number";
}
