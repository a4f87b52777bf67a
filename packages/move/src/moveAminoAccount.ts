import { aminoAccount, type AminoSigner } from "@vipscore/cosmos";
import type { MoveAccount } from "./moveAccount.ts";

/**
 * Creates an account that signs amino JSON, as hardware wallets do.
 *
 * @example
 * const account = moveAminoAccount({ coinType: 60, publicKey, signAmino: (document) => device.sign(document) });
 */
export function moveAminoAccount(signer: AminoSigner): MoveAccount {
  return aminoAccount(signer);
}
