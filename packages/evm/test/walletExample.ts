import type { ScoreContract } from "@vipscore/core";
import { connectEvm, type EvmProvider } from "@vipscore/evm";

/** Connects with a wallet that signs and sends, such as a signing service or a development node. */
export function connectWallet(provider: EvmProvider, address: string): Promise<ScoreContract> {
  return connectEvm({ provider, address, account: provider });
}
