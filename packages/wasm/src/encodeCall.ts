import type { Account, ContractCall, OtherCall, ScoreContract, ScoreRow, SignalOptions } from "@vipscore/core";
import { senderOf, unsignedCallJson, type CosmosMessage } from "@vipscore/cosmos";
import { stringifyExact } from "./contractReader.ts";
import { packRows } from "./gasModel.ts";
import type { ExecuteMsg } from "./vipScoreTypes.generated.ts";
import { addressOf } from "./wasmAddress.ts";
import { msgExecuteContract } from "./wasmMessages.ts";

/** Who signs a call of a contract, and the contract's address in bech32. */
export interface CallTarget {
  readonly signer: Account;
  readonly contract: string;
}

/** The message that executes a contract, without coins. */
export function executeMessage({ signer, contract }: CallTarget, message: ExecuteMsg): CosmosMessage {
  return msgExecuteContract({ sender: addressOf(signer), contract, msg: stringifyExact(message) ?? "" });
}

export function encodeCall(target: CallTarget, call: ContractCall): CosmosMessage {
  return executeMessage(target, executeMsg(call));
}

function executeMsg(call: ContractCall): ExecuteMsg {
  if (call.kind === "updateScores") {
    const { stage, rows, packed } = call;
    if (packed === true) return { update_scores_packed: { stage, rows: packRows(rows).toString("base64") } };
    return { update_scores: { stage, scores: rows.map(pairOf) } };
  }
  if (call.kind !== "finalizeStage") return controlMsg(call);
  const { stage, expected } = call;
  if (expected === undefined) return { finalize_stage: { stage } };
  const { total, count, revision } = expected;
  return {
    finalize_stage_checked: { stage, expected_total: total, expected_count: count, expected_revision: revision },
  };
}

function controlMsg(call: Exclude<OtherCall, { kind: "finalizeStage" }>): ExecuteMsg {
  switch (call.kind) {
    case "addMember":
      return { add_allow_list: { addr: addressOf(call.account) } };
    case "removeMember":
      return { remove_allow_list: { addr: addressOf(call.account) } };
    case "setMembers":
      return { set_allow_list: { addrs: call.accounts.map(addressOf) } };
    case "setManagement":
      return { set_members_can_manage: { allowed: call.allowed } };
    case "offerOwnership":
      return { transfer_ownership: { new_owner: addressOf(call.account) } };
    case "setFinalizer":
      return { set_finalizer: { finalizer: call.account === undefined ? null : addressOf(call.account) } };
    case "acceptOwnership":
      break;
  }
  return { accept_ownership: {} };
}

function pairOf({ account, score }: ScoreRow): [string, bigint] {
  return [addressOf(account), score];
}

/**
 * Returns a call of the contract's account as an unsigned transaction, in JSON as `minitiad tx sign` and `tx multisign` read it.
 *
 * @returns The name of the contract's message, and the JSON.
 * @throws NodeError.
 */
export async function unsignedWasmCall(contract: ScoreContract, call: OtherCall, options: SignalOptions = {}) {
  const msg = executeMsg(call);
  const message = {
    "@type": "/cosmwasm.wasm.v1.MsgExecuteContract",
    sender: addressOf(senderOf(contract)),
    contract: contract.identity.address,
    // wasmd writes and reads a contract's message as JSON, not as base64 (`RawContractMessage`).
    msg,
    funds: [],
  };
  const text = stringifyExact(await unsignedCallJson(contract, call, message, options)) ?? "";
  return { name: Object.keys(msg).join(), text };
}
