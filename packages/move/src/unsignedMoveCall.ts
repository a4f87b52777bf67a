import type { OtherCall, ScoreContract, SignalOptions } from "@vipscore/core";
import { senderOf, unsignedCallJson } from "@vipscore/cosmos";
import { encodeCall } from "./encodeCall.ts";
import { parseModuleAddress } from "./moveAddress.ts";

/**
 * Returns a call of the contract's account as an unsigned transaction, in JSON as `minitiad tx sign` and `tx multisign` read it.
 *
 * @throws NodeError.
 */
export async function unsignedMoveCall(
  contract: ScoreContract,
  call: OtherCall,
  options: SignalOptions = {},
): Promise<string> {
  const signer = senderOf(contract);
  const module = parseModuleAddress(contract.identity.address);
  const isOurs = contract.version !== undefined;
  const message = encodeCall({ signer, module, isOurs }, call).json();
  return JSON.stringify(await unsignedCallJson(contract, call, message, options));
}
