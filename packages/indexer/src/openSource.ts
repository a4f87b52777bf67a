import { cosmosChain } from "./chain/cosmos/cosmosChain.ts";
import { cosmosOwners } from "./chain/cosmos/cosmosOwners.ts";
import { evmChain } from "./chain/evm/evmChain.ts";
import { evmOwners } from "./chain/evm/evmOwners.ts";
import type { HexAddress, NftChain } from "./chain/nftChain.ts";
import type { NftOwners } from "./chain/nftOwners.ts";

/** A rollup's endpoint: the JSON-RPC of an EVM rollup, or the CometBFT RPC of a Move or CosmWasm rollup. */
export type IndexerSource = { readonly jsonRpcUrl: string } | { readonly rpcNodeUrl: string };

/** Opens a rollup to index, on any VM. @throws InputError `CONFIG_INVALID` if the URL is invalid. */
export function openChain(source: IndexerSource): NftChain {
  return "jsonRpcUrl" in source ? evmChain(source) : cosmosChain(source);
}

/**
 * Opens a reader of the owners of collections' tokens, for past blocks of a rollup on any VM. It needs no database, and
 * a node that has all blocks to be read.
 *
 * @param collections Addresses in lowercase hex, as {@link HexAddress} has them.
 * @throws InputError `CONFIG_INVALID` if the URL is invalid.
 * @example
 * const owners = openNftOwners({ jsonRpcUrl: "http://127.0.0.1:8545" }, new Set([collection]));
 * for await (const { blocks } of owners.read({ first: 1, last: 1000 }, signal)) …
 */
export function openNftOwners(source: IndexerSource, collections: ReadonlySet<HexAddress>): NftOwners {
  return "jsonRpcUrl" in source
    ? evmOwners(source.jsonRpcUrl, collections)
    : cosmosOwners(source.rpcNodeUrl, collections);
}
