import { createPublicClient, http, isAddress } from "viem";
import { vipScoreAbi } from "@vipscore/evm";
import { testAccounts, type LocalNode } from "@vipscore/localnet";
import type { ChainWrites } from "./chainWrites.ts";

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
