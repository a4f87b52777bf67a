import {
  concatHex,
  encodeFunctionData,
  pad,
  toFunctionSelector,
  toFunctionSignature,
  toHex,
  zeroAddress,
  type Abi,
  type AbiFunction,
  type AbiParameter,
  type Hex,
} from "viem";
import { vipScoreAbi } from "@vipscore/evm";
import type { RandomValues } from "../seededRandom.ts";
import { NoSuchCall, type Row, type SubjectCall } from "../subject.ts";

/** Returns the ids of accounts, which packed batches use; registers new accounts. */
export type IdsOf = (rows: readonly Row[]) => Promise<readonly number[]>;

/** The calldata of a call. */
export async function encodeEvmCall(call: SubjectCall, idsOf: IdsOf): Promise<Hex> {
  switch (call.kind) {
    case "updateScore":
    case "increaseScore":
    case "decreaseScore": {
      const args = [call.stage, call.account, call.amount] as const;
      return encodeFunctionData({ abi: vipScoreAbi, functionName: call.kind, args });
    }
    case "updateScores":
      return encodeLists(call.stage, call.rows, []);
    case "updateScoresUnequal":
      return encodeLists(call.stage, call.rows, ["0x00000000000000000000000000000000000000ff"]);
    case "updateScoresPacked": {
      const groups = groupRows(call.rows, await idsOf(call.rows));
      return encodeFunctionData({ abi: vipScoreAbi, functionName: "updateScoresPacked", args: [call.stage, groups] });
    }
    case "updateScoreOfText": {
      // viem itself would refuse to encode a value that is not an address.
      const selector = encodeFunctionData({
        abi: vipScoreAbi,
        functionName: "updateScore",
        args: [1n, `0x${"00".repeat(20)}`, 1n],
      });
      return concatHex([selector.slice(0, 10) as Hex, word(call.stage), pad(`0x${call.text}`), word(1n)]);
    }
    case "finalizeStage":
      return encodeFunctionData({ abi: vipScoreAbi, functionName: "finalizeStage", args: [call.stage] });
    case "finalizeStageChecked": {
      const { stage, total, count, revision } = call;
      const args = [stage, total, count, revision] as const;
      return encodeFunctionData({ abi: vipScoreAbi, functionName: "finalizeStageChecked", args });
    }
    case "addMember":
      return encodeFunctionData({ abi: vipScoreAbi, functionName: "addAllowList", args: [call.account] });
    case "removeMember":
      return encodeFunctionData({ abi: vipScoreAbi, functionName: "removeAllowList", args: [call.account] });
    case "setMembers":
      return encodeFunctionData({ abi: vipScoreAbi, functionName: "setAllowList", args: [call.accounts] });
    case "setFinalizer":
      return encodeFunctionData({
        abi: vipScoreAbi,
        functionName: "setFinalizer",
        args: [call.account ?? zeroAddress],
      });
    case "transferOwnership":
      return encodeFunctionData({ abi: vipScoreAbi, functionName: "transferOwnership", args: [call.account] });
    case "acceptOwnership":
    case "renounceOwnership":
      return encodeFunctionData({ abi: vipScoreAbi, functionName: call.kind });
    case "setManagement":
      return encodeFunctionData({ abi: vipScoreAbi, functionName: "setMembersCanManage", args: [call.allowed] });
    case "setInitStage":
      break;
  }
  throw new NoSuchCall("EVM", call.kind);
}

function encodeLists(stage: bigint, rows: readonly Row[], more: readonly Hex[]): Hex {
  const addrs = [...rows.map((row) => row.account), ...more];
  const amounts = rows.map((row) => row.score);
  return encodeFunctionData({ abi: vipScoreAbi, functionName: "updateScores", args: [stage, addrs, amounts] });
}

function word(value: bigint): Hex {
  return toHex(value, { size: 32 });
}

interface Group {
  key: bigint;
  amounts: bigint;
}

/** Packs rows as E13 and E14 of contracts/evm/SPEC.md require; a later row for an account replaces an earlier row. */
function groupRows(rows: readonly Row[], ids: readonly number[]): readonly Group[] {
  const scores = new Map(rows.map((row, index) => [ids[index] ?? 0, row.score]));
  const groups = new Map<number, Group>();
  for (const [id, score] of [...scores].sort(([a], [b]) => a - b)) {
    const number = Math.floor(id / 4);
    const lane = BigInt(id % 4);
    const group = groups.get(number) ?? { key: BigInt(number) * 16n, amounts: 0n };
    group.key |= 1n << lane;
    group.amounts |= score << (64n * lane);
    groups.set(number, group);
  }
  return [...groups.values()];
}

/** Random values, and slots of a finalized stage, which mostly stand for words of 32 bytes. */
type EvmValues = RandomValues & { readonly slots: readonly Hex[] };

function wordOf({ slots, ...values }: EvmValues): Hex {
  const slot = values.flag() || values.flag() ? slots[(values.bytes(1)[0] ?? 0) % slots.length] : undefined;
  return slot ?? toHex(values.bytes(32));
}

/** Returns a random argument of an ABI type. */
function evmArgument(parameter: AbiParameter, values: EvmValues): unknown {
  const { type } = parameter;
  const list = /^(.*)\[(\d*)\]$/.exec(type);
  if (list !== null) {
    const [, element = "", length = ""] = list;
    const count = length === "" ? values.length : Number(length);
    return Array.from({ length: count }, () => evmArgument({ ...parameter, type: element }, values));
  }
  if (type === "tuple" && "components" in parameter) {
    return parameter.components.map((component) => evmArgument(component, values));
  }
  const [, name = "", size = ""] = /^([a-z]+)(\d*)$/.exec(type) ?? [];
  switch (name) {
    case "uint":
      return size === "256" && values.flag() ? BigInt(wordOf(values)) : values.number(Number(size));
    case "int":
      // Half of the range, so that it is never too large.
      return values.number(Number(size) - 1);
    case "address":
      return values.account();
    case "bool":
      return values.flag();
    case "function":
      return toHex(values.bytes(24));
    case "bytes":
      return size === "32" ? wordOf(values) : toHex(values.bytes(size === "" ? 40 : Number(size)));
    case "string":
      return values.bytes(8).toString("hex");
    default:
      throw new Error(`no random value for the type ${type}`);
  }
}

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

/** An entry point: a function of the interface, or the selector of one that may be in the code; neither for plain calls. */
type EntryPoint = { readonly item?: AbiFunction; readonly selector?: Hex };

/** Entry points by name. */
export type EvmEntryPoints = ReadonlyMap<string, EntryPoint>;

/**
 * Returns the functions that change state, by signature, and the entry points that no interface names.
 *
 * @param selectors - What may be selectors in the code.
 */
export function evmEntryPoints(abi: Abi, selectors: readonly Hex[]): EvmEntryPoints {
  const functions = abi.filter((item): item is AbiFunction => item.type === "function");
  const writing = functions.filter(({ stateMutability }) => !["view", "pure"].includes(stateMutability));
  return new Map<string, EntryPoint>([
    ...writing.map((item) => [toFunctionSignature(item), { item }] as const),
    ["receive()", {}],
    ["fallback()", {}],
    ...hiddenSelectors(selectors, abi).map((selector) => [`${selector}()`, { selector }] as const),
  ]);
}

/** Returns the selectors that no function or error of the interface has. */
function hiddenSelectors(constants: readonly Hex[], abi: Abi): readonly Hex[] {
  const named = abi.filter((item) => item.type === "function" || item.type === "error");
  const known = new Set(named.map((item) => toFunctionSelector(signatureOf(item))));
  return constants.filter((constant) => !known.has(constant));
}

function signatureOf({ name, inputs }: { readonly name: string; readonly inputs: AbiFunction["inputs"] }): string {
  return toFunctionSignature({ type: "function", name, inputs, outputs: [], stateMutability: "view" });
}

/** Returns a call of an entry point with random arguments, and how a report shows it. */
export function randomEvmCall(points: EvmEntryPoints, name: string, values: EvmValues) {
  const { item, selector } = points.get(name) ?? {};
  if (item !== undefined) {
    const args = item.inputs.map((input) => evmArgument(input, values));
    const value = item.stateMutability === "payable" ? weiOf(values) : 0n;
    const data = encodeFunctionData({ abi: [item], functionName: item.name, args });
    return { data, value, sent: `${item.name}(${args.map(argumentText).join(", ")})${valueText(value)}` };
  }
  const words = [values.number(64), BigInt(values.account()), values.number(64), values.number(256)].map(word);
  const first = values.flag() && values.flag() ? [wordOf(values)] : [];
  const data = name === "receive()" ? "0x" : concatHex([selector ?? toHex(values.bytes(4)), ...first, ...words]);
  const value = weiOf(values);
  return { data, value, sent: `${name} with ${data}${valueText(value)}` };
}

/** Up to a coin of 18 decimals, or what the code names. */
function weiOf(values: RandomValues): bigint {
  return values.flag() ? values.number(57) : values.coins() * (values.flag() ? 1n : 10n ** 12n);
}

function argumentText(argument: unknown): string {
  return Array.isArray(argument) ? `[${argument.map(argumentText).join(", ")}]` : String(argument);
}

function valueText(value: bigint): string {
  return value === 0n ? "" : ` and ${value} wei`;
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
