export { createApi, type ApiOptions } from "./api/createApi.ts";
export { serveApi } from "./api/serveApi.ts";
export type {
  CollectionSeen,
  EarlierChange,
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
  UrisChanged,
} from "./chain/nftChain.ts";
export type { NftOwners, OwnerBlock, OwnerChange, OwnersPart, OwnersRange } from "./chain/nftOwners.ts";
export { followChain, type FollowEvent, type FollowOptions } from "./follow/followChain.ts";
export { L1Watch, type L1Location, type L1View } from "./follow/l1Watch.ts";
export { openStore, type OpenStoreOptions, type Store } from "./store/openStore.ts";
export type { IndexedChain } from "./store/indexedChain.ts";
export type { CountedTokens, LeftOut, NftStore } from "./store/store.ts";
export {
  openNftOwners,
  startApi,
  startIndexer,
  type IndexerSource,
  type RunningIndexer,
  type StartApiOptions,
  type StartIndexerOptions,
} from "./startIndexer.ts";
