import { formatBech32, parseAccount } from "@vipscore/core";
import { testAccounts, type LocalNode } from "@vipscore/localnet";

/** Writes to a stage, according to the chain's events. */
export interface ChainWrites {
  readonly rows: number;
  readonly accounts: number;
  /** Hashes of the transactions that wrote them. */
  readonly transactions: ReadonlySet<string>;
  /** Number of the sender's transactions in blocks. */
  readonly senderTransactions: number;
}

const sender = testAccounts.deployer.address;
/** As Move and Wasm chains write it. */
const senderBech32 = formatBech32(parseAccount(sender, { accountBytes: [20] }));

/** Counts the test deployer's writes to a stage from the events of the whole chain, read without vipscore. */
export function countWrites({ vm, rpcUrl }: LocalNode, contract: string, stage: bigint): Promise<ChainWrites> {
  return vm === "evm" ? countEvmWrites(rpcUrl, contract, stage) : countCosmosWrites(rpcUrl, contract, `${stage}`);
}

/** `UpdateScore(address,uint64,uint64,uint64)`. */
const updateScoreTopic = "0xaa223ecc7f67d3014d35d9d5e419dd09b7e4b2ae2d427d33b1995b38ecfefe8d";

async function countEvmWrites(rpcUrl: string, contract: string, stage: bigint): Promise<ChainWrites> {
  const topics = [updateScoreTopic, null, `0x${stage.toString(16).padStart(64, "0")}`];
  const filter = { address: contract, fromBlock: "0x0", topics };
  const logs = await callNode<{ topics: string[]; transactionHash: string }[]>(rpcUrl, "eth_getLogs", [filter]);
  return {
    rows: logs.length,
    accounts: new Set(logs.map((log) => log.topics[1])).size,
    transactions: new Set(logs.map(({ transactionHash }) => transactionHash)),
    senderTransactions: Number(await callNode<string>(rpcUrl, "eth_getTransactionCount", [sender, "latest"])),
  };
}

/** CometBFT's answer to `tx_search`. */
interface FoundTransactions {
  readonly total_count: string;
  readonly txs: readonly {
    readonly hash: string;
    readonly tx_result: {
      readonly code: number;
      readonly events: readonly { type: string; attributes: readonly { key: string; value: string }[] }[];
    };
  }[];
}

const pageSize = 100;

async function countCosmosWrites(rpcUrl: string, contract: string, stage: string): Promise<ChainWrites> {
  const transactions = new Set<string>();
  const accounts = new Set<string | undefined>();
  let rows = 0;
  const query = { query: `message.sender='${senderBech32}'`, prove: false, per_page: `${pageSize}`, order_by: "asc" };
  for (let page = 1; ; page += 1) {
    const found = await callNode<FoundTransactions>(rpcUrl, "tx_search", { ...query, page: `${page}` });
    for (const { hash, tx_result: outcome } of found.txs.filter(({ tx_result: { code } }) => code === 0)) {
      for (const { type, attributes } of outcome.events) {
        const event = Object.fromEntries(attributes.map(({ key, value }) => [key, value]));
        const isRow =
          (type === "move" && event["type_tag"] === `${contract}::vip_score::UpdateScoreEvent`) ||
          (type === "wasm-update-score" && event["_contract_address"] === contract);
        if (!isRow || event["stage"] !== stage) continue;
        rows += 1;
        accounts.add(event["account"] ?? event["addr"]);
        transactions.add(hash);
      }
    }
    const total = Number(found.total_count);
    if (page * pageSize >= total) return { rows, accounts: accounts.size, transactions, senderTransactions: total };
  }
}

async function callNode<T>(rpcUrl: string, method: string, params: unknown): Promise<T> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
  return ((await response.json()) as { readonly result: T }).result;
}
