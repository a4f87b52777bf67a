import type { LocalNode } from "@vipscore/localnet";
import type { ChainWrites } from "./chainWrites.ts";
import { attributeOf, readSentTransactions } from "./sentTransactions.ts";

/** Counts the writes of the test deployer to a stage from the events of all its transactions. */
export async function countWasmWrites({ rpcUrl }: LocalNode, contract: string, stage: bigint): Promise<ChainWrites> {
  const { total, succeeded } = await readSentTransactions(rpcUrl);
  const transactions = new Set<string>();
  const accounts = new Set<unknown>();
  let rows = 0;
  for (const { hash, events } of succeeded) {
    for (const event of events) {
      const value = (key: string): unknown => attributeOf(event, "wasm-update-score", key);
      if (value("_contract_address") !== contract || value("stage") !== stage.toString()) continue;
      rows += 1;
      accounts.add(value("addr"));
      transactions.add(hash);
    }
  }
  return { rows, accounts: accounts.size, transactions, senderTransactions: total };
}
