import {
  formatBech32,
  type Account,
  type ContractCall,
  type OtherCall,
  type ScoreContract,
  type SignalOptions,
} from "@vipscore/core";
import { senderOf, unsignedCallJson } from "@vipscore/cosmos";
import { encodeAddress, encodeAddresses, encodeAddressOption, encodeBool, encodeScores, encodeU64 } from "./bcs.ts";
import { moduleName } from "./moduleStore.ts";
import { parseModuleAddress } from "./moveAddress.ts";
import { msgExecute, type JsonMessage } from "./moveMessages.ts";

/** Who signs the call of a module, and the module's address (its publisher's). */
export interface MessageTarget {
  readonly signer: Account;
  readonly module: Account;
}

/** The message that executes an entry function of a scoring module. */
export function executeMessage(
  { signer, module }: MessageTarget,
  functionName: string,
  args: readonly Buffer[],
): JsonMessage {
  const sender = formatBech32(signer);
  return msgExecute({ sender, moduleAddress: module, moduleName, functionName, typeArgs: [], args });
}

/** Who signs a call of the port, and which module it is for. */
export interface CallTarget extends MessageTarget {
  /** True if the module has an owner, with entry functions beyond the published ones. */
  readonly hasRoles: boolean;
}

export function encodeCall(target: CallTarget, call: ContractCall): JsonMessage {
  const execute = (name: string, ...args: readonly Buffer[]) => executeMessage(target, name, args);
  // The publisher and the owner have separate entry functions.
  const asOwner = target.hasRoles && target.signer !== target.module;
  if (call.kind === "updateScores") {
    const name = call.packed === true ? "update_scores_script" : "update_score_script";
    return execute(
      name,
      encodeU64(call.stage),
      encodeAddresses(call.rows.map(({ account }) => account)),
      encodeScores(call.rows),
    );
  }
  if (call.kind === "finalizeStage") {
    const { stage, expected } = call;
    if (expected === undefined) return execute("finalize_script", encodeU64(stage));
    const { total, count, revision } = expected;
    const checked = [stage, total, count, revision].map(encodeU64);
    return execute("finalize_checked_script", ...checked);
  }
  const { name, args } = controlCall(call, asOwner);
  return execute(name, ...args);
}

function controlCall(
  call: Exclude<OtherCall, { kind: "finalizeStage" }>,
  asOwner: boolean,
): { readonly name: string; readonly args: readonly Buffer[] } {
  switch (call.kind) {
    case "addMember":
    case "removeMember": {
      const verb = call.kind === "addMember" ? "add" : "remove";
      return { name: `${asOwner ? "owner_" : ""}${verb}_deployer_script`, args: [encodeAddress(call.account)] };
    }
    case "setMembers":
      return { name: "set_deployers_script", args: [encodeAddresses(call.accounts)] };
    case "setFinalizer":
      return { name: "set_finalizer_script", args: [encodeAddressOption(call.account)] };
    case "setManagement":
      return { name: "set_publisher_manages_script", args: [encodeBool(call.allowed)] };
    case "offerOwnership":
      return { name: "transfer_ownership_script", args: [encodeAddress(call.account)] };
    case "acceptOwnership":
      break;
  }
  return { name: "accept_ownership_script", args: [] };
}

/**
 * Returns a call of the contract's account as an unsigned transaction, in JSON as `minitiad tx sign` and `tx multisign` read it.
 *
 * @returns The name of the function, and the JSON.
 * @throws NodeError.
 */
export async function unsignedMoveCall(contract: ScoreContract, call: OtherCall, options: SignalOptions = {}) {
  const signer = senderOf(contract);
  const module = parseModuleAddress(contract.identity.address);
  const message = encodeCall({ signer, module, hasRoles: contract.features.roles }, call).json();
  const text = JSON.stringify(await unsignedCallJson(contract, call, message, options));
  return { name: String(message["function_name"]), text };
}
