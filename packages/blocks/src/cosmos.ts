export {
  allValues,
  type Attributes,
  firstValue,
  moveTypeTag,
  readEvents,
  type TransactionEvents,
  type VmEvent,
  readCosmosEvents,
  type CosmosEvent,
  type ReadCosmosEventsOptions,
} from "./cosmos/readCosmosEvents.ts";
export { readTxHashes } from "./cosmos/blockTransactions.ts";
export {
  type CometNode,
  type NodeStatus,
  openCometNode,
  readStatus,
  queryState,
  queryStateAt,
} from "./cosmos/cometNode.ts";
export { readBech32, readMoveAddress, type MessageCall } from "./cosmos/decodeCalls.ts";
export {
  type BlocksPart,
  readBusyBlocks,
  requestsAtOnce,
  findHeader,
  readHeaders,
  type BlockHeader,
} from "./cosmos/readBlockParts.ts";
export {
  readCosmosTransactions,
  type CosmosMessage,
  type ReadCosmosTransactionsOptions,
} from "./cosmos/readCosmosTransactions.ts";
export type { NodePatience } from "./callForLists.ts";
