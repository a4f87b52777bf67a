import type { SigningCosmWasmClient, SigningCosmWasmClientOptions } from "@cosmjs/cosmwasm-stargate";

/**
 * Connects cosmjs as the account that `vipscore` and Initia's wallets have for a mnemonic, `m/44'/60'/0'/0/0` with a key as on
 * Ethereum. The wallets of cosmjs have other accounts.
 *
 * @param options - Those of `SigningCosmWasmClient.connectWithSigner`.
 */
export function connectMnemonic(
  rpcUrl: string,
  mnemonic: string,
  options?: SigningCosmWasmClientOptions,
): Promise<{ readonly client: SigningCosmWasmClient; readonly address: string }>;
