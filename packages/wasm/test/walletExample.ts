import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import type { ScoreContract } from "@vipscore/core";
import { connectWasm } from "@vipscore/wasm";

/** Connects with cosmjs' wallet. In a browser: `keplr.getOfflineSignerAuto(chainId)`. */
export async function connectWallet(rpcUrl: string, address: string, mnemonic: string): Promise<ScoreContract> {
  const account = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: "init" });
  return connectWasm({ rpcUrl, address, account });
}
