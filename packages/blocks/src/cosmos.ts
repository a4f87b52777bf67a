export {
  allValues,
  firstValue,
  readEvents,
  type Attributes,
  type TransactionEvents,
  type VmEvent,
} from "./cosmos/blockEvents.ts";
export { readTxHashes } from "./cosmos/blockTransactions.ts";
export { openCometNode, type CometNode } from "./cosmos/cometNode.ts";
export { readBech32, readMoveAddress } from "./cosmos/cosmosAddress.ts";
export { queryState, queryStateAt } from "./cosmos/queryState.ts";
export { moveTypeTag } from "./cosmos/moveTypeTag.ts";
export type { BlocksPart } from "./cosmos/readBlockParts.ts";
export { readBusyBlocks, requestsAtOnce } from "./cosmos/readBusyBlocks.ts";
export { readCosmosEvents, type CosmosEvent, type ReadCosmosEventsOptions } from "./cosmos/readCosmosEvents.ts";
export type { MessageCall } from "./cosmos/decodeCalls.ts";
export {
  readCosmosTransactions,
  type CosmosMessage,
  type ReadCosmosTransactionsOptions,
} from "./cosmos/readCosmosTransactions.ts";
export { findHeader, readHeaders, type BlockHeader } from "./cosmos/readHeaders.ts";
export { readStatus, type NodeStatus } from "./cosmos/readStatus.ts";
