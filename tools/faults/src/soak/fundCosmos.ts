import { isTxError, MnemonicKey, MsgSend, RESTClient, Wallet } from "@initia/initia.js";
import { testAccounts, type CosmosNode } from "@vipscore/localnet";
import { hangBoundMs } from "@vipscore/testkit/hangBound";

/** Sends coins of the test deployer to accounts, in one transaction; an account exists once it has received coins. */
export async function fundCosmos({ restUrl, chainId }: CosmosNode, addresses: readonly string[]): Promise<void> {
  const key = new MnemonicKey({ mnemonic: testAccounts.deployer.mnemonic });
  const rest = new RESTClient(restUrl, { chainId, gasPrices: "0umin", gasAdjustment: "1.75" });
  const wallet = new Wallet(rest, key);
  const msgs = addresses.map((address) => new MsgSend(key.accAddress, address, "1000000umin"));
  const result = await rest.tx.broadcast(await wallet.createAndSignTx({ msgs }), hangBoundMs);
  if (isTxError(result)) throw new Error(`the accounts of the soak were not funded: ${result.raw_log}`);
}
