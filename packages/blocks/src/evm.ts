export { CosmosHashes } from "./evm/cosmosHashes.ts";
export { allGiven, openEvmRpc, type EvmRpc, type Outcome, type RpcCall } from "./evm/evmRpc.ts";
export { isPassing } from "./evm/isPassing.ts";
export { readBlockHash, readBlockTimes } from "./evm/readBlockHeads.ts";
export { viewReader, type View, type ViewReader } from "./evm/readViews.ts";
export { addressOfWord, listOf, lowerHex, quantity } from "./evm/rpcValues.ts";
