import { readEvmTransactions, type EvmRpc, type EvmTransaction } from "@vipscore/blocks/evm";
import type { ChainSource } from "../../chain/chainSource.ts";
import { sourceInvalid } from "../../policyError.ts";
import { blockValues } from "../blockColumns.ts";
import { isInIntegerRange, type SourceRow } from "../policySource.ts";
import { evmTransactionColumns } from "./transactionColumns.ts";
import type { TransactionsDefinition } from "./transactionsDefinition.ts";

/** Reads the transactions of an EVM chain. */
export function evmTransactionsSource({ name, kind, contracts }: TransactionsDefinition, rpc: EvmRpc): ChainSource {
  const rowOf = (found: EvmTransaction): SourceRow => {
    const { height, txHash, from, to = "", selector, gasUsed, success, value } = found;
    if (!isInIntegerRange(value)) {
      throw sourceInvalid(`${name}: transaction ${txHash} in block ${height}: value ${value} is beyond 128 bits`);
    }
    return [...blockValues(found), 0n, txHash, from, to, selector, gasUsed, success, value];
  };
  return {
    name,
    kind,
    columns: evmTransactionColumns,
    identity: JSON.stringify({ kind, contracts }),
    async *read({ first, last }, signal) {
      for await (const part of readEvmTransactions(rpc, { contracts, first, last, signal })) {
        yield { first: part.first, last: part.last, lastHash: part.lastHash, rows: part.transactions.map(rowOf) };
      }
    },
  };
}
