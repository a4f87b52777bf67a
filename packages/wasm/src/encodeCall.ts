import type { ContractCall, ScoreRow } from "@vipscore/core";
import { MsgExecuteContract } from "cosmjs-types/cosmwasm/wasm/v1/tx";
import { stringifyExact } from "./exactJson.ts";
import type { ExecuteMsg } from "./vipScoreTypes.generated.ts";
import type { WasmMessage } from "./wasmAccount.ts";
import { addressOf } from "./wasmAddress.ts";

/** A call of a contract: who signs it and which contract it is for, both in bech32. */
export interface CallTarget {
  readonly sender: string;
  readonly contract: string;
}

/** The message that executes a contract; no coins go with it. */
export function executeMessage({ sender, contract }: CallTarget, message: ExecuteMsg): WasmMessage {
  const msg = Buffer.from(stringifyExact(message) ?? "");
  const value = MsgExecuteContract.encode({ sender, contract, msg, funds: [] }).finish();
  return { typeUrl: MsgExecuteContract.typeUrl, value };
}

/** The message for a call of the port. */
export function encodeCall(target: CallTarget, call: ContractCall): WasmMessage {
  return executeMessage(target, executeMsg(call));
}

function executeMsg(call: ContractCall): ExecuteMsg {
  if (call.kind === "updateScores") {
    // Not `update_scores_packed`, although it is cheaper: it has one event a batch, and explorers and indexers follow the
    // event of each score, which is part of the published interface. On EVM the choice is the same.
    return { update_scores: { stage: call.stage, scores: call.rows.map(pairOf) } };
  }
  if (call.kind === "finalizeStage") {
    const { stage, expected } = call;
    if (expected === undefined) return { finalize_stage: { stage } };
    const { total, count } = expected;
    return { finalize_stage_checked: { stage, expected_total: total, expected_count: count } };
  }
  const addr = addressOf(call.account);
  return call.kind === "addMember" ? { add_allow_list: { addr } } : { remove_allow_list: { addr } };
}

function pairOf({ account, score }: ScoreRow): [string, bigint] {
  return [addressOf(account), score];
}
