import { createWalletClient, custom, type EIP1193Provider } from "viem";
import type { EvmAccount } from "@vipscore/evm";

/** Makes the account of a wallet that answers `eth_signTransaction`, such as a signing service or a development node. */
export async function walletAccount(provider: EIP1193Provider): Promise<EvmAccount> {
  const client = createWalletClient({ transport: custom(provider) });
  const [address] = await client.getAddresses();
  if (address === undefined) throw new Error("the wallet shows no account");
  return {
    address,
    signTransaction: (transaction) => client.signTransaction({ ...transaction, account: address, chain: null }),
  };
}
