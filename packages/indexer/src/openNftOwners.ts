import { cosmosOwners } from "./chain/cosmos/cosmosOwners.ts";
import { evmOwners } from "./chain/evm/evmOwners.ts";
import type { HexAddress } from "./chain/nftChain.ts";
import type { NftOwners } from "./chain/nftOwners.ts";
import type { IndexerSource } from "./startIndexer.ts";

/**
 * Opens a reader of the owners of collections' tokens, for past blocks of a rollup on any VM. It needs no database, and a node that
 * has all blocks to be read.
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
