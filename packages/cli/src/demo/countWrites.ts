import { vipScoreAbi } from "@vipscore/evm";
import { createPublicClient, http, type Address, type Hex } from "viem";

/** What the chain itself says was written to a stage. */
export interface ChainWrites {
  /** Rows written, counted by the contract's UpdateScore events. */
  readonly rows: number;
  /** Accounts written at least once. */
  readonly accounts: number;
  /** Transactions that wrote them. */
  readonly transactions: ReadonlySet<Hex>;
  /** Transactions that the sender has in blocks. */
  readonly senderTransactions: number;
}

/** Counts the writes of a stage from the events of the whole chain. */
export async function countWrites(
  rpcUrl: string,
  contract: Address,
  sender: Address,
  stage: bigint,
): Promise<ChainWrites> {
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
    senderTransactions: await client.getTransactionCount({ address: sender }),
  };
}
