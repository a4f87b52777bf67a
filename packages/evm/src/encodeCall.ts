import { encodeFunctionData, zeroAddress, type Hex } from "viem";
import type { ContractCall, OtherCall } from "@vipscore/core";
import { packScores } from "./packScores.ts";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

const abi = vipScoreAbi;

type FinalizeCall = Extract<OtherCall, { kind: "finalizeStage" }>;

/** The calldata of a call. */
export function encodeCall(call: ContractCall): Hex {
  if (call.kind === "finalizeStage") return encodeFinalize(call);
  if (call.kind !== "updateScores") return encodeControlCall(call);
  const { stage, rows } = call;
  if (call.packed === true)
    return encodeFunctionData({ abi, functionName: "updateScoresPacked", args: [stage, packScores(rows)] });
  const addrs = rows.map((row) => row.account);
  const amounts = rows.map((row) => row.score);
  return encodeFunctionData({ abi, functionName: "updateScores", args: [stage, addrs, amounts] });
}

function encodeFinalize({ stage, expected }: FinalizeCall): Hex {
  if (expected === undefined) return encodeFunctionData({ abi, functionName: "finalizeStage", args: [stage] });
  const { total, count, revision } = expected;
  return encodeFunctionData({ abi, functionName: "finalizeStageChecked", args: [stage, total, count, revision] });
}

/** The calldata of a call that changes roles. */
function encodeControlCall(call: Exclude<OtherCall, FinalizeCall>): Hex {
  switch (call.kind) {
    case "addMember":
      return encodeFunctionData({ abi, functionName: "addAllowList", args: [call.account] });
    case "removeMember":
      return encodeFunctionData({ abi, functionName: "removeAllowList", args: [call.account] });
    case "setMembers":
      return encodeFunctionData({ abi, functionName: "setAllowList", args: [call.accounts] });
    case "setFinalizer":
      return encodeFunctionData({ abi, functionName: "setFinalizer", args: [call.account ?? zeroAddress] });
    case "setManagement":
      return encodeFunctionData({ abi, functionName: "setMembersCanManage", args: [call.allowed] });
    case "offerOwnership":
      return encodeFunctionData({ abi, functionName: "transferOwnership", args: [call.account] });
    case "acceptOwnership":
      break;
  }
  return encodeFunctionData({ abi, functionName: "acceptOwnership" });
}
