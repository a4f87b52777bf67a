import type { AccountKey } from "@vipscore/core/keys";
import { aminoAccount, keyAccount, type AminoSigner, type CosmosAccount } from "@vipscore/cosmos";

/** An account that signs on a Move rollup. */
export type MoveAccount = CosmosAccount;

/**
 * Creates an account from a key.
 *
 * @throws InputError `KEY_INVALID` for an invalid key or mnemonic; the message does not repeat it.
 * @example
 * const account = moveAccount({ mnemonic: process.env.MNEMONIC });
 */
export function moveAccount(key: AccountKey): MoveAccount {
  return keyAccount(key);
}

/**
 * Creates an account that signs amino JSON, as hardware wallets do.
 *
 * @example
 * const account = moveAminoAccount({ coinType: 60, publicKey, signAmino: (document) => device.sign(document) });
 */
export function moveAminoAccount(signer: AminoSigner): MoveAccount {
  return aminoAccount(signer);
}
