import type { AccountKey } from "@vipscore/core/keys";
import { keyAccount, type CosmosAccount } from "@vipscore/cosmos";

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
