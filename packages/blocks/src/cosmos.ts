export {
  allValues,
  type Attributes,
  firstValue,
  moveTypeTag,
  readEvents,
  type TransactionEvents,
  type VmEvent,
} from "./cosmos/readCosmosEvents.ts";
export { readTxHashes } from "./cosmos/blockTransactions.ts";
export { type CometNode, type NodeStatus, openCometNode, readStatus } from "./cosmos/cometNode.ts";
export { readBech32, readMoveAddress } from "./cosmos/decodeCalls.ts";
export { queryState, queryStateAt } from "./cosmos/cometNode.ts";
export { type BlocksPart, readBusyBlocks, requestsAtOnce } from "./cosmos/readBlockParts.ts";
export { readCosmosEvents, type CosmosEvent, type ReadCosmosEventsOptions } from "./cosmos/readCosmosEvents.ts";
export type { MessageCall } from "./cosmos/decodeCalls.ts";
export {
  readCosmosTransactions,
  type CosmosMessage,
  type ReadCosmosTransactionsOptions,
} from "./cosmos/readCosmosTransactions.ts";
export type { NodePatience } from "./callForLists.ts";
export { findHeader, readHeaders, type BlockHeader } from "./cosmos/readBlockParts.ts";
