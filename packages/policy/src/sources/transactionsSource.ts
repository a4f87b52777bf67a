import type { HexAddress } from "@vipscore/blocks";
import {
  readBech32,
  readCosmosTransactions,
  readMoveAddress,
  type CometNode,
  type CosmosMessage,
} from "@vipscore/blocks/cosmos";
import { readEvmTransactions, type EvmRpc, type EvmTransaction } from "@vipscore/blocks/evm";
import { object, optional, text, withSchema, type Field } from "@vipscore/core/field";
import type { ChainSource } from "../chain/chainSource.ts";
import type { RollupNode } from "../chain/rollupNode.ts";
import { sourceInvalid } from "../policyError.ts";
import { isInIntegerRange, type SourceColumn, type SourceRow } from "./policySource.ts";
import { blockColumns, blockHeight, blockValues, distinct, hexPattern, sourceFields } from "./sourceFields.ts";

/** A source of kind `transactions`: those of the window, or the calls of some contracts. */
export interface TransactionsDefinition {
  readonly kind: "transactions";
  readonly name: string;
  /** Contracts in lower-case hex, sorted; on Move the accounts of modules. Undefined for all transactions. */
  readonly contracts: readonly HexAddress[] | undefined;
  /** The first height, if the source begins before the window. */
  readonly startHeight: number | undefined;
}

const readFields = object({
  ...sourceFields,
  contracts: optional(distinct(withSchema({ type: "string" }, readContractField))),
  start_height: optional(blockHeight),
});

/** The columns are those of EVM: the rollup's VM is not known here. */
export function readTransactionsDefinition(
  source: Field,
): TransactionsDefinition & { readonly columns: readonly SourceColumn[] } {
  const { name, contracts, start_height: startHeight } = readFields(source);
  return { kind: "transactions", name, contracts, startHeight, columns: evmTransactionColumns };
}
readTransactionsDefinition.schema = readFields.schema;

/** Any VM's spelling of an address: which one the rollup has is not known here. */
function readContractField(field: Field): HexAddress {
  const address = text(field);
  return readMoveAddress(address) ?? readBech32(address) ?? field.failExpected("the address of a contract");
}

/** The columns of a source of transactions; each message of a Move or Wasm transaction has a row. */
export const transactionColumns = [
  ...blockColumns,
  /** The message's position in its transaction, from 0; 0 on EVM. */
  { name: "msg_index", type: "integer", stored: "bigint" },
  /** The transaction's hash: `0x` and lower-case hex on EVM, upper-case hex elsewhere. */
  { name: "tx_hash", type: "text", pattern: "^[0-9A-F]{64}$" },
  /** The account that signed the transaction on EVM, the message elsewhere; twenty zero bytes for a message that names none. */
  { name: "sender", type: "address" },
  /**
   * The called contract, on Move the account of the called module, in lower-case hex. On EVM the receiver of any transaction.
   * Empty for a creation, and for a message that calls no contract.
   */
  { name: "contract", type: "text" },
  /**
   * On EVM the first 4 bytes of a call's data, `0x` and hex; empty for a creation or less data. On Move `module::function`, on Wasm
   * the name of the contract's message; the message's type URL if it calls neither.
   */
  { name: "function", type: "text" },
  /** Gas of the whole transaction; each of its messages has the same. */
  { name: "gas_used", type: "integer" },
  /** False if the transaction failed, and with it all of its messages. */
  { name: "success", type: "boolean" },
] as const satisfies readonly SourceColumn[];

const evmPatterns: Readonly<Record<string, string>> = {
  tx_hash: hexPattern(32),
  contract: "^(?:0x[0-9a-f]{40})?$",
  function: "^(?:0x[0-9a-f]{8})?$",
};

const evmTransactionColumns = [
  ...transactionColumns.map((column) => ({ ...column, pattern: evmPatterns[column.name] })),
  /** The amount that the sender transfers, in wei. */
  { name: "value", type: "integer" },
] as const satisfies readonly SourceColumn[];

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
      throw sourceInvalid(`${name}: transaction ${txHash} in block ${height}: value ${value} is beyond 38 digits`);
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
