import { formatBech32, parseAccount } from "@vipscore/core";
import { testAccounts, type LocalNode } from "@vipscore/localnet";
import { valueAt } from "../valueAt.ts";
import type { ChainWrites } from "./chainWrites.ts";

const pageSize = 100;
/** Transactions of a demo are some dozen; more pages mean that something goes round in circles. */
const mostPages = 50;

/** Counts the writes of the test deployer to a stage: rows by the events of all its transactions, accounts by the table. */
export async function countMoveWrites(
  node: LocalNode & { readonly restUrl?: string },
  contract: string,
  stage: bigint,
): Promise<ChainWrites> {
  const sender = formatBech32(parseAccount(testAccounts.deployer.address, { accountBytes: [20] }));
  const transactions = new Set<string>();
  let rows = 0;
  let senderTransactions = 0;
  for (let page = 1; page <= mostPages; page += 1) {
    const found = await search(node.rpcUrl, `message.sender='${sender}'`, page);
    for (const { hash, events } of found.transactions) {
      const written = events.reduce<number>((sum, event) => sum + rowsOf(event, contract, stage), 0);
      if (written > 0) transactions.add(hash);
      rows += written;
    }
    senderTransactions = found.total;
    if (page * pageSize >= found.total) break;
  }
  return { rows, accounts: await countAccounts(node.restUrl ?? "", contract, stage), transactions, senderTransactions };
}

/** The rows of a batch that an event tells of; 0 for any other event. */
function rowsOf(event: unknown, contract: string, stage: bigint): number {
  const attributes = valueAt(event, "attributes");
  if (valueAt(event, "type") !== "move" || !Array.isArray(attributes)) return 0;
  const value = (key: string): unknown =>
    valueAt(
      attributes.find((one) => valueAt(one, "key") === key),
      "value",
    );
  if (value("type_tag") !== `${contract}::vip_score::UpdateScoresEvent`) return 0;
  return value("stage") === stage.toString() ? Number(value("count")) : 0;
}

async function countAccounts(restUrl: string, contract: string, stage: bigint): Promise<number> {
  const view = { address: contract, module_name: "vip_score", function_name: "get_score_count", type_args: [] };
  const answer = await post(`${restUrl}/initia/move/v1/view/json`, {
    ...view,
    args: [JSON.stringify(stage.toString())],
  });
  return Number(JSON.parse(String(valueAt(answer, "data"))));
}

interface Found {
  readonly total: number;
  readonly transactions: readonly { readonly hash: string; readonly events: readonly unknown[] }[];
}

async function search(rpcUrl: string, query: string, page: number): Promise<Found> {
  const params = { query, prove: false, page: `${page}`, per_page: `${pageSize}`, order_by: "asc" };
  const answer = await post(rpcUrl, { jsonrpc: "2.0", id: 1, method: "tx_search", params });
  const found = valueAt(answer, "result", "txs");
  if (!Array.isArray(found)) throw new Error(`tx_search answered ${JSON.stringify(answer).slice(0, 200)}`);
  const transactions = found
    .filter((one) => valueAt(one, "tx_result", "code") === 0)
    .map((one) => ({ hash: String(valueAt(one, "hash")), events: listOf(valueAt(one, "tx_result", "events")) }));
  return { total: Number(valueAt(answer, "result", "total_count")), transactions };
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
