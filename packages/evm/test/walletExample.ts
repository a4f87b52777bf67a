import { connectEvm, type EvmProvider, type EvmScoreContract } from "@vipscore/evm";

/** Connects with a wallet that signs and sends, such as a signing service or a development node. */
export function connectWallet(provider: EvmProvider, address: string): Promise<EvmScoreContract> {
  return connectEvm({ provider, address, account: provider });
}
