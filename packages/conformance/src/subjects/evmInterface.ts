import { toFunctionSignature, type Abi, type AbiFunction, type AbiParameter } from "viem";
import { vipScoreAbi } from "@vipscore/evm";

/** The interface of the reference contract, initia-labs/vip-score-evm, which our contract has unchanged. */
const published: ReadonlySet<string> = new Set([
  "updateScores",
  "updateScore",
  "increaseScore",
  "decreaseScore",
  "finalizeStage",
  "addAllowList",
  "removeAllowList",
  "initStage",
  "stages",
  "scores",
  "allowList",
  "getScores",
  "CreateStage",
  "FinalizeStage",
  "UpdateScore",
  "PermissionDenied",
  "ZeroStage",
  "AddrsAndAmountsLengthMistmatch",
  "StageNotFound",
  "StageFinalized",
]);

/** Returns each published function, event and error that an ABI does not have, or has in another shape. */
export function compareEvmInterface(abi: Abi): readonly string[] {
  const found = new Set(abi.map(shapeOf));
  return vipScoreAbi.flatMap((item) => {
    const isPublished = "name" in item && published.has(item.name);
    const shape = shapeOf(item);
    if (!isPublished || found.has(shape)) return [];
    const others = abi.filter((one) => "name" in one && one.name === item.name).map(shapeOf);
    return [`${shape} is ${others.length === 0 ? "missing" : `instead ${others.join(" or ")}`}`];
  });
}

/** Returns the functions that change state, by signature. */
export function evmEntryPoints(abi: Abi): ReadonlyMap<string, AbiFunction> {
  const functions = abi.filter((item): item is AbiFunction => item.type === "function");
  const writing = functions.filter(({ stateMutability }) => !["view", "pure"].includes(stateMutability));
  return new Map(writing.map((item) => [toFunctionSignature(item), item]));
}

/** What callers and readers depend on: types, the names of results and of an event's values. */
function shapeOf(item: Abi[number]): string {
  if (!("name" in item)) return item.type;
  const { type, name } = item;
  const inputs = item.inputs.map((input) => {
    const isIndexed = "indexed" in input && input.indexed === true;
    return `${parameterText(input, type === "event")}${isIndexed ? " indexed" : ""}`;
  });
  const call = `${type} ${name}(${inputs.join(",")})`;
  if (type !== "function") return call;
  const kind = item.stateMutability === "pure" ? "view" : item.stateMutability;
  // Callers do not see the name of a single result.
  const [only, ...others] = item.outputs;
  const outputs = only !== undefined && others.length === 0 ? [{ ...only, name: "" }] : item.outputs;
  return `${call} ${kind} (${outputs.map((output) => parameterText(output, true)).join(",")})`;
}

function parameterText(parameter: AbiParameter, isNamed: boolean): string {
  const { type, name = "" } = parameter;
  const parts = "components" in parameter ? parameter.components : undefined;
  const full = parts === undefined ? type : `${type}{${parts.map((part) => parameterText(part, isNamed)).join(",")}}`;
  return isNamed && name !== "" ? `${full} ${name}` : full;
}
