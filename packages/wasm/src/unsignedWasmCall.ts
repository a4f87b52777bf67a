import type { OtherCall, ScoreContract, SignalOptions } from "@vipscore/core";
import { senderOf, unsignedCallJson } from "@vipscore/cosmos";
import { executeMsg } from "./encodeCall.ts";
import { stringifyExact } from "./exactJson.ts";
import { addressOf } from "./wasmAddress.ts";

/**
 * Returns a call of the contract's account as an unsigned transaction, in JSON as `minitiad tx sign` and `tx multisign` read it.
 *
 * @throws NodeError.
 */
export async function unsignedWasmCall(
  contract: ScoreContract,
  call: OtherCall,
  options: SignalOptions = {},
): Promise<string> {
  const message = {
    "@type": "/cosmwasm.wasm.v1.MsgExecuteContract",
    sender: addressOf(senderOf(contract)),
    contract: contract.identity.address,
    // wasmd writes and reads a contract's message as JSON, not as base64 (`RawContractMessage`).
    msg: executeMsg(call),
    funds: [],
  };
  return stringifyExact(await unsignedCallJson(contract, call, message, options)) ?? "";
}
