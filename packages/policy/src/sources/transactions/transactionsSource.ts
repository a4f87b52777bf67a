import { readCosmosTransactions, type CometNode, type CosmosMessage } from "@vipscore/blocks/cosmos";
import { readEvmTransactions, type EvmRpc, type EvmTransaction } from "@vipscore/blocks/evm";
import type { ChainSource } from "../../chain/chainSource.ts";
import type { RollupNode } from "../../chain/rollupNode.ts";
import { sourceInvalid } from "../../policyError.ts";
import { blockValues } from "../blockColumns.ts";
import { isInIntegerRange, type SourceRow } from "../policySource.ts";
import { evmTransactionColumns, transactionColumns } from "./transactionColumns.ts";
import type { TransactionsDefinition } from "./transactionsDefinition.ts";

/** Reads the transactions of an EVM chain, or the messages of the transactions of a Move or Wasm chain. */
export function transactionsSource(definition: TransactionsDefinition, node: RollupNode): ChainSource {
  const { name, kind, contracts } = definition;
  return {
    name,
    kind,
    identity: JSON.stringify({ kind, contracts }),
    ...(node.vm === "evm" ? ofEvm(definition, node.rpc) : ofCosmos(definition, node.comet)),
  };
}

/** The parts of the source that differ between VMs. */
type VmParts = Pick<ChainSource, "columns" | "read">;

function ofEvm({ name, contracts }: TransactionsDefinition, rpc: EvmRpc): VmParts {
  const rowOf = (found: EvmTransaction): SourceRow => {
    const { height, txHash, from, to = "", selector, gasUsed, success, value } = found;
    if (!isInIntegerRange(value)) {
      throw sourceInvalid(`${name}: transaction ${txHash} in block ${height}: value ${value} is beyond 128 bits`);
    }
    return [...blockValues(found), 0n, txHash, from, to, selector, gasUsed, success, value];
  };
  return {
    columns: evmTransactionColumns,
    async *read({ first, last }, signal) {
      for await (const part of readEvmTransactions(rpc, { contracts, first, last, signal })) {
        yield { first: part.first, last: part.last, lastHash: part.lastHash, rows: part.transactions.map(rowOf) };
      }
    },
  };
}

function ofCosmos({ contracts }: TransactionsDefinition, node: CometNode): VmParts {
  return {
    columns: transactionColumns,
    async *read({ first, last }, signal) {
      for await (const part of readCosmosTransactions(node, { contracts, first, last, signal })) {
        yield { first: part.first, last: part.last, lastHash: part.lastHash, rows: part.items.map(rowOfMessage) };
      }
    },
  };
}

function rowOfMessage(found: CosmosMessage): SourceRow {
  const { messageIndex, txHash, sender, contract = "", function: called, gasUsed, success } = found;
  return [...blockValues(found), BigInt(messageIndex), txHash, sender, contract, called, BigInt(gasUsed), success];
}
