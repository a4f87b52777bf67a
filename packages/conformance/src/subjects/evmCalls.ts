import { concatHex, encodeFunctionData, pad, toHex, zeroAddress, type Abi, type AbiParameter, type Hex } from "viem";
import { vipScoreAbi } from "@vipscore/evm";
import { NoSuchCall, type Row, type SubjectCall } from "../subject.ts";

/** Returns the ids of accounts, which packed batches use; registers new accounts. */
export type IdsOf = (rows: readonly Row[]) => Promise<readonly number[]>;

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
