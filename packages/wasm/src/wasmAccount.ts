import type { AccountKey } from "@vipscore/core/keys";
import { aminoAccount, keyAccount, type AminoSigner, type CosmosAccount } from "@vipscore/cosmos";

/** An account that signs on a Wasm rollup. */
export type WasmAccount = CosmosAccount;

/**
 * Creates an account from a key.
 *
 * @throws InputError `KEY_INVALID` for an invalid key or mnemonic; the message does not repeat it.
 * @example
 * const account = wasmAccount({ mnemonic: process.env.MNEMONIC });
 */
export function wasmAccount(key: AccountKey): WasmAccount {
  return keyAccount(key);
}

/**
 * Creates an account that signs amino JSON, as hardware wallets do. The signature does not cover the last digits of numbers above
 * 2^53 in a contract's message: chains round them in amino JSON.
 *
 * @example
 * const account = wasmAminoAccount({ coinType: 60, publicKey, signAmino: (document) => device.sign(document) });
 */
export function wasmAminoAccount(signer: AminoSigner): WasmAccount {
  return aminoAccount(signer);
}
