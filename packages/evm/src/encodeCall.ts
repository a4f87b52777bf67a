import type { ContractCall } from "@vipscore/core";
import { encodeFunctionData, type Hex } from "viem";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

const abi = vipScoreAbi;

/** The calldata of a call. */
export function encodeCall(call: ContractCall): Hex {
  if (call.kind === "updateScores") {
    const addrs = call.rows.map((row) => row.account);
    const amounts = call.rows.map((row) => row.score);
    return encodeFunctionData({ abi, functionName: "updateScores", args: [call.stage, addrs, amounts] });
  }
  if (call.kind === "finalizeStage") {
    const { stage, expected } = call;
    if (expected === undefined) return encodeFunctionData({ abi, functionName: "finalizeStage", args: [stage] });
    const args = [stage, expected.total, expected.count] as const;
    return encodeFunctionData({ abi, functionName: "finalizeStageChecked", args });
  }
  const functionName = call.kind === "addMember" ? "addAllowList" : "removeAllowList";
  return encodeFunctionData({ abi, functionName, args: [call.account] });
}
