import { formatBech32, parseAccount } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { valueAt } from "../valueAt.ts";

const pageSize = 100;
/** Transactions of a demo are some dozen; more pages mean that something goes round in circles. */
const mostPages = 50;

/** A transaction that succeeded. */
export interface SentTransaction {
  readonly hash: string;
  readonly events: readonly unknown[];
}

/** What the test deployer has in blocks of a Cosmos chain: how many transactions, and those that succeeded. */
export interface SentTransactions {
  readonly total: number;
  readonly succeeded: readonly SentTransaction[];
}

/** Reads all transactions of the test deployer from the node's RPC. */
export async function readSentTransactions(rpcUrl: string): Promise<SentTransactions> {
  const sender = formatBech32(parseAccount(testAccounts.deployer.address, { accountBytes: [20] }));
  const succeeded: SentTransaction[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const found = await search(rpcUrl, `message.sender='${sender}'`, page);
    succeeded.push(...found.succeeded);
    if (page * pageSize >= found.total) return { total: found.total, succeeded };
  }
  throw new Error(`more than ${mostPages * pageSize} transactions`);
}

/** The value of an event's attribute; undefined where the event is of another type or lacks it. */
export function attributeOf(event: unknown, type: string, key: string): unknown {
  const attributes = valueAt(event, "attributes");
  if (valueAt(event, "type") !== type || !Array.isArray(attributes)) return undefined;
  return valueAt(
    attributes.find((one) => valueAt(one, "key") === key),
    "value",
  );
}

async function search(rpcUrl: string, query: string, page: number): Promise<SentTransactions> {
  const params = { query, prove: false, page: `${page}`, per_page: `${pageSize}`, order_by: "asc" };
  const answer = await postJson(rpcUrl, { jsonrpc: "2.0", id: 1, method: "tx_search", params });
  const found = valueAt(answer, "result", "txs");
  if (!Array.isArray(found)) throw new Error(`tx_search answered ${JSON.stringify(answer).slice(0, 200)}`);
  const succeeded = found
    .filter((one) => valueAt(one, "tx_result", "code") === 0)
    .map((one) => ({ hash: String(valueAt(one, "hash")), events: listOf(valueAt(one, "tx_result", "events")) }));
  return { total: Number(valueAt(answer, "result", "total_count")), succeeded };
}

/** Posts JSON and reads the JSON of the answer. */
export async function postJson(url: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
