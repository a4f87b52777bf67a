import type { LocalNode } from "@vipscore/localnet";
import { attributeOf, readSentTransactions } from "@vipscore/localnet/sentTransactions";
import type { ChainWrites } from "./chainWrites.ts";
import { deployerBech32 } from "./deployerBech32.ts";

/** Counts the test deployer's writes to a stage from the events of all its transactions. */
export async function countWasmWrites({ rpcUrl }: LocalNode, contract: string, stage: bigint): Promise<ChainWrites> {
  const { total, succeeded } = await readSentTransactions(rpcUrl, deployerBech32);
  const transactions = new Set<string>();
  const accounts = new Set<string | undefined>();
  let rows = 0;
  for (const { hash, events } of succeeded) {
    for (const event of events) {
      const value = (key: string): string | undefined => attributeOf(event, "wasm-update-score", key);
      if (value("_contract_address") !== contract || value("stage") !== stage.toString()) continue;
      rows += 1;
      accounts.add(value("addr"));
      transactions.add(hash);
    }
  }
  return { rows, accounts: accounts.size, transactions, senderTransactions: total };
}
