export {
  CosmosHashes,
  readEvmTransactions,
  type EvmTransaction,
  type EvmTransactionsPart,
  type ReadEvmTransactionsOptions,
} from "./evm/readEvmTransactions.ts";
export { allGiven, type Outcome, type RpcCall } from "./evm/batchReader.ts";
export { openEvmRpc, type EvmRpc } from "./evm/evmRpc.ts";
export type { NodePatience } from "./callForLists.ts";
export type { BlockLogs, UnreadLogs, LogChoice, LogFilter } from "./evm/blockLogReader.ts";
export { addressOfWord, listOf, type LogPlace, topicsOf, lowerHex, quantity, readLogPlace } from "./evm/rpcValues.ts";
export { logReader, type LogReader, type LogReaderOptions } from "./evm/logReader.ts";
export { findBlockHead, readBlockHash, readBlockHeads, readBlockTimes, type BlockHead } from "./evm/readBlockHeads.ts";
export { readEvmEvents, type EvmEvent, type EvmEventsPart, type ReadEvmEventsOptions } from "./evm/readEvmEvents.ts";
export { readBalancesAt, readCallsAt, type ContractCall } from "./evm/stateAt.ts";
export { viewReader, type View, type ViewReader } from "./evm/readViews.ts";
