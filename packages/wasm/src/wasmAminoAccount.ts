import { aminoAccount, type AminoSigner } from "@vipscore/cosmos";
import type { WasmAccount } from "./wasmAccount.ts";

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
