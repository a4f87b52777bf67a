export { createApi, type ApiOptions } from "./api/createApi.ts";
export { serveApi } from "./api/serveApi.ts";
export type {
  CollectionSeen,
  HexAddress,
  NftBlock,
  NftChain,
  NftChange,
  PendingUri,
  ReadBlocksOptions,
  TokenBurned,
  TokenMinted,
  TokenReference,
  TokenTransferred,
  TokenUriChanged,
  UriRead,
} from "./chain/nftChain.ts";
export type { NftOwners, OwnerBlock, OwnerChange, OwnersPart, OwnersRange } from "./chain/nftOwners.ts";
export { followChain, type FollowEvent, type FollowOptions } from "./follow/followChain.ts";
export { openNftOwners, type IndexerSource } from "./openSource.ts";
export { openStore, type Store } from "./store/openStore.ts";
export type { IndexedChain, LeftOut, NftStore } from "./store/nftStore.ts";
export { startApi, type StartApiOptions } from "./startApi.ts";
export { startIndexer, type RunningIndexer, type StartIndexerOptions } from "./startIndexer.ts";
