import type { LocalNode } from "@vipscore/localnet";
import { attributeOf, readSentTransactions, type TransactionEvent } from "@vipscore/localnet/sentTransactions";
import type { ChainWrites } from "./chainWrites.ts";
import { deployerBech32 } from "./deployerBech32.ts";

/** Counts the test deployer's writes to a stage: rows from the events of all its transactions, accounts from the table. */
export async function countMoveWrites(
  node: LocalNode & { readonly restUrl?: string },
  contract: string,
  stage: bigint,
): Promise<ChainWrites> {
  const { total, succeeded } = await readSentTransactions(node.rpcUrl, deployerBech32);
  const transactions = new Set<string>();
  let rows = 0;
  for (const { hash, events } of succeeded) {
    const written = events.filter((event) => isRow(event, contract, stage)).length;
    if (written > 0) transactions.add(hash);
    rows += written;
  }
  const accounts = await countAccounts(node.restUrl ?? "", contract, stage);
  return { rows, accounts, transactions, senderTransactions: total };
}

/** True for an event of a row written to the stage. */
function isRow(event: TransactionEvent, contract: string, stage: bigint): boolean {
  const value = (key: string): string | undefined => attributeOf(event, "move", key);
  return value("type_tag") === `${contract}::vip_score::UpdateScoreEvent` && value("stage") === stage.toString();
}

async function countAccounts(restUrl: string, contract: string, stage: bigint): Promise<number> {
  const response = await fetch(`${restUrl}/initia/move/v1/view/json`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      address: contract,
      module_name: "vip_score",
      function_name: "get_stage",
      type_args: [],
      args: [JSON.stringify(stage.toString())],
    }),
  });
  const { data } = (await response.json()) as { readonly data: string };
  return Number((JSON.parse(data) as { readonly score_count: string }).score_count);
}
