import { concatHex, encodeFunctionData, pad, toHex, zeroAddress, type Abi, type AbiParameter, type Hex } from "viem";
import { vipScoreAbi } from "@vipscore/evm";
import { NoSuchCall, type Row, type SubjectCall } from "../subject.ts";

/** Returns the ids of accounts, which packed batches use; registers new accounts. */
export type IdsOf = (rows: readonly Row[]) => Promise<readonly number[]>;

export async function encodeEvmCall(call: SubjectCall, idsOf: IdsOf): Promise<Hex> {
  switch (call.kind) {
    case "updateScore":
    case "increaseScore":
    case "decreaseScore":
      return encode(call.kind, call.stage, call.account, call.amount);
    case "updateScores":
    case "updateScoresUnequal": {
      const more = call.kind === "updateScores" ? [] : ["0x00000000000000000000000000000000000000ff"];
      const accounts = call.rows.map((row) => row.account);
      return encode(
        "updateScores",
        call.stage,
        [...accounts, ...more],
        call.rows.map((row) => row.score),
      );
    }
    case "updateScoresPacked":
      return encode("updateScoresPacked", call.stage, groupRows(call.rows, await idsOf(call.rows)));
    case "updateScoreOfText": {
      // viem itself would refuse to encode a value that is not an address.
      const selector = encode("updateScore", 1n, zeroAddress, 1n).slice(0, 10) as Hex;
      return concatHex([selector, word(call.stage), pad(`0x${call.text}`), word(1n)]);
    }
    case "finalizeStage":
      return encode("finalizeStage", call.stage);
    case "finalizeStageChecked":
      return encode("finalizeStageChecked", call.stage, call.total, call.count, call.revision);
    case "addMember":
      return encode("addAllowList", call.account);
    case "removeMember":
      return encode("removeAllowList", call.account);
    case "setMembers":
      return encode("setAllowList", call.accounts);
    case "setFinalizer":
      return encode("setFinalizer", call.account ?? zeroAddress);
    case "transferOwnership":
      return encode("transferOwnership", call.account);
    case "acceptOwnership":
    case "renounceOwnership":
      return encode(call.kind);
    case "setManagement":
      return encode("setMembersCanManage", call.allowed);
    case "setInitStage":
      break;
  }
  throw new NoSuchCall("EVM", call.kind);
}

/** @throws an error of viem for a function that the contract does not have, or for other arguments. */
function encode(functionName: string, ...args: readonly unknown[]): Hex {
  const abi: Abi = vipScoreAbi;
  return encodeFunctionData({ abi, functionName, args });
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
