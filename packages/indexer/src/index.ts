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
export { openStore, type Store } from "./store/openStore.ts";
export type { IndexedChain, LeftOut, NftStore } from "./store/store.ts";
export {
  openNftOwners,
  startApi,
  startIndexer,
  type IndexerSource,
  type RunningIndexer,
  type StartApiOptions,
  type StartIndexerOptions,
} from "./startIndexer.ts";
