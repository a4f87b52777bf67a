import { MsgExecute } from "@initia/initia.js";
import type { Account, ContractCall } from "@vipscore/core";
import { encodeAccounts, encodeAddress, encodeScores, encodeU64 } from "./bcs.ts";
import { moduleName } from "./moduleStore.ts";

/** The message that executes an entry function of a scoring module. */
export function executeMessage(
  sender: string,
  module: Account,
  functionName: string,
  args: readonly Buffer[],
): MsgExecute {
  const encoded = args.map((arg) => arg.toString("base64"));
  return new MsgExecute(sender, module, moduleName, functionName, [], encoded);
}

/** Which module a call is encoded for. */
export interface CallTarget {
  /** The publisher's address. */
  readonly module: Account;
  /** The module is ours: it has entry functions beyond the published ones. */
  readonly isOurs: boolean;
}

/** The message for a call of the port, signed by `sender` (bech32, the same account as `signer`). */
export function encodeCall(
  sender: string,
  signer: Account,
  { module, isOurs }: CallTarget,
  call: ContractCall,
): MsgExecute {
  const execute = (name: string, ...args: readonly Buffer[]) => executeMessage(sender, module, name, args);
  // The publisher and the owner have entry functions of their own.
  const asOwner = isOurs && signer !== module;
  if (call.kind === "updateScores") {
    // One event for the batch: a quarter cheaper, and its receipt stays small.
    const name = isOurs ? "update_scores_script" : "update_score_script";
    return execute(name, encodeU64(call.stage), encodeAccounts(call.rows), encodeScores(call.rows));
  }
  if (call.kind === "finalizeStage") {
    const { stage, expected } = call;
    if (expected === undefined) return execute("finalize_script", encodeU64(stage));
    const { total, count } = expected;
    return execute("finalize_checked_script", encodeU64(stage), encodeU64(total), encodeU64(count));
  }
  const verb = call.kind === "addMember" ? "add" : "remove";
  return execute(`${asOwner ? "owner_" : ""}${verb}_deployer_script`, encodeAddress(call.account));
}
