import { isObject } from "@vipscore/core/wire";

const pageSize = 100;
/** Tests and the demo send a few hundred transactions at most; more pages mean that the node repeats itself. */
const maxPages = 50;

/** A transaction that succeeded. */
interface SentTransaction {
  readonly hash: string;
  readonly events: readonly TransactionEvent[];
}

/** An event of a transaction, as CometBFT returns it. */
export interface TransactionEvent {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
}

/** A sender's transactions in blocks of a Cosmos chain: their number, and the successful ones. */
interface SentTransactions {
  readonly total: number;
  readonly succeeded: readonly SentTransaction[];
}

/**
 * Reads all transactions of a sender from a node's RPC, oldest first.
 *
 * @param sender The account in bech32.
 */
export async function readSentTransactions(rpcUrl: string, sender: string): Promise<SentTransactions> {
  const succeeded: SentTransaction[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const found = await searchPage(rpcUrl, sender, page);
    succeeded.push(...found.succeeded);
    if (page * pageSize >= found.total) return { total: found.total, succeeded };
  }
  throw new Error(`${sender} has more than ${maxPages * pageSize} transactions`);
}

/** Returns the value of an event's attribute, or undefined if the event has another type or lacks the attribute. */
export function attributeOf(event: TransactionEvent, type: string, key: string): string | undefined {
  return event.type === type ? event.attributes.find((attribute) => attribute.key === key)?.value : undefined;
}

async function searchPage(rpcUrl: string, sender: string, page: number): Promise<SentTransactions> {
  const query = `message.sender='${sender}'`;
  const params = { query, prove: false, page: `${page}`, per_page: `${pageSize}`, order_by: "asc" };
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tx_search", params }),
  });
  const answer: unknown = await response.json();
  if (!isSearchAnswer(answer)) throw new Error(`tx_search answered ${JSON.stringify(answer).slice(0, 200)}`);
  const succeeded = answer.result.txs
    .filter(({ tx_result: { code } }) => code === 0)
    .map(({ hash, tx_result: { events } }) => ({ hash, events }));
  return { total: Number(answer.result.total_count), succeeded };
}

/** CometBFT's answer to `tx_search`. */
interface SearchAnswer {
  readonly result: {
    readonly total_count: string;
    readonly txs: readonly {
      readonly hash: string;
      readonly tx_result: { readonly code: number; readonly events: readonly TransactionEvent[] };
    }[];
  };
}

function isSearchAnswer(answer: unknown): answer is SearchAnswer {
  return isObject(answer) && isObject(answer["result"]) && Array.isArray(answer["result"]["txs"]);
}
