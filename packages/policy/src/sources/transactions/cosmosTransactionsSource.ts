import { readCosmosTransactions, type CometNode, type CosmosMessage } from "@vipscore/blocks/cosmos";
import type { ChainSource } from "../../chain/chainSource.ts";
import { blockValues } from "../blockColumns.ts";
import type { SourceRow } from "../policySource.ts";
import { transactionColumns } from "./transactionColumns.ts";
import type { TransactionsDefinition } from "./transactionsDefinition.ts";

/** Reads the messages of the transactions of a Move or Wasm chain. */
export function cosmosTransactionsSource(
  { name, kind, contracts }: TransactionsDefinition,
  node: CometNode,
): ChainSource {
  return {
    name,
    kind,
    columns: transactionColumns,
    identity: JSON.stringify({ kind, contracts }),
    async *read({ first, last }, signal) {
      for await (const part of readCosmosTransactions(node, { contracts, first, last, signal })) {
        yield { first: part.first, last: part.last, lastHash: part.lastHash, rows: part.items.map(rowOf) };
      }
    },
  };
}

function rowOf(found: CosmosMessage): SourceRow {
  const { messageIndex, txHash, sender, contract = "", function: called, gasUsed, success } = found;
  return [...blockValues(found), BigInt(messageIndex), txHash, sender, contract, called, BigInt(gasUsed), success];
}
