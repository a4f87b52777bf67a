import { createPublicClient, http, isAddress } from "viem";
import { formatBech32, parseAccount } from "@vipscore/core";
import { vipScoreAbi } from "@vipscore/evm";
import { testAccounts, type LocalNode } from "@vipscore/localnet";
import { attributeOf, readSentTransactions, type TransactionEvent } from "@vipscore/localnet/sentTransactions";

/** Writes to a stage, according to the chain. */
export interface ChainWrites {
  /** Rows written, according to the contract's events. */
  readonly rows: number;
  /** Accounts that have a row. */
  readonly accounts: number;
  /** Hashes of the transactions that wrote them. */
  readonly transactions: ReadonlySet<string>;
  /** Number of the sender's transactions in blocks. */
  readonly senderTransactions: number;
}

/** Counts all writes to a stage from the events of the whole chain. */
export async function countEvmWrites({ rpcUrl }: LocalNode, contract: string, stage: bigint): Promise<ChainWrites> {
  if (!isAddress(contract)) throw new Error(`${contract} is not an address`);
  const client = createPublicClient({ transport: http(rpcUrl) });
  const logs = await client.getContractEvents({
    address: contract,
    abi: vipScoreAbi,
    eventName: "UpdateScore",
    args: { stage },
    fromBlock: 0n,
    strict: true,
  });
  return {
    rows: logs.length,
    accounts: new Set(logs.map(({ args }) => args.addr)).size,
    transactions: new Set(logs.map(({ transactionHash }) => transactionHash)),
    senderTransactions: await client.getTransactionCount({ address: testAccounts.deployer.address }),
  };
}

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

/** The test deployer's address as Move and Wasm chains write it. */
const deployerBech32 = formatBech32(parseAccount(testAccounts.deployer.address, { accountBytes: [20] }));
