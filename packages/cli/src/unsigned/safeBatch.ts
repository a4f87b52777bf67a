import { formatChecksummed, type OtherCall, type ScoreContract } from "@vipscore/core";
import { optionalPackage } from "../optionalPackage.ts";

/**
 * Returns a call as a batch for the Transaction Builder of Safe, in JSON. Safe's app refuses it on another chain, and warns in
 * another Safe than the contract's account.
 */
export async function safeBatch({ identity, signer }: ScoreContract, call: OtherCall): Promise<string> {
  const { encodeCall } = await optionalPackage("@vipscore/evm");
  const from = signer === undefined ? {} : { createdFromSafeAddress: formatChecksummed(signer) };
  return JSON.stringify({
    version: "1.0",
    chainId: identity.chainId,
    createdAt: Date.now(),
    meta: { name: `vipscore: ${call.kind}`, description: `Scoring contract ${identity.address}`, ...from },
    transactions: [{ to: identity.address, value: "0", data: encodeCall(call) }],
  });
}
