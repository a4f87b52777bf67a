import type { ContractCall, OtherCall, ScoreRow, Stage } from "@vipscore/core";
import { encodeFunctionData, type Hex } from "viem";
import { packScores } from "./packScores.ts";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

const abi = vipScoreAbi;

type ControlCall = Exclude<OtherCall, { kind: "finalizeStage" }>;

/** The calldata of a call; a batch goes through the published entry point. */
export function encodeCall(call: ContractCall): Hex {
  switch (call.kind) {
    case "updateScores": {
      const addrs = call.rows.map((row) => row.account);
      const amounts = call.rows.map((row) => row.score);
      return encodeFunctionData({ abi, functionName: "updateScores", args: [call.stage, addrs, amounts] });
    }
    case "finalizeStage": {
      const { stage, expected } = call;
      if (expected === undefined) return encodeFunctionData({ abi, functionName: "finalizeStage", args: [stage] });
      const args = [stage, expected.total, expected.count] as const;
      return encodeFunctionData({ abi, functionName: "finalizeStageChecked", args });
    }
    default:
      return encodeControlCall(call);
  }
}

/** The calldata of a call that changes who may do what. */
function encodeControlCall(call: ControlCall): Hex {
  switch (call.kind) {
    case "addMember":
      return encodeFunctionData({ abi, functionName: "addAllowList", args: [call.account] });
    case "removeMember":
      return encodeFunctionData({ abi, functionName: "removeAllowList", args: [call.account] });
    case "setManagement":
      return encodeFunctionData({ abi, functionName: "setMembersCanManage", args: [call.allowed] });
    case "offerOwnership":
      return encodeFunctionData({ abi, functionName: "transferOwnership", args: [call.account] });
    case "acceptOwnership":
      return encodeFunctionData({ abi, functionName: "acceptOwnership" });
    default:
      throw new Error("not yet");
  }
}

/** The calldata of a batch through the packed entry point; `ids` has the number of each row's account. */
export function encodePacked(stage: Stage, rows: readonly ScoreRow[], ids: readonly number[]): Hex {
  return encodeFunctionData({ abi, functionName: "updateScoresPacked", args: [stage, packScores(rows, ids)] });
}
