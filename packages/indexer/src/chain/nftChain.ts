import type { HexAddress } from "@vipscore/blocks";

export type { HexAddress };

/** The token of a change: its collection and ID, or on Move only its object. */
export type TokenReference =
  { readonly collectionAddr: HexAddress; readonly tokenId: string } | { readonly objectAddr: HexAddress };

/** A new collection; comes before the changes of its tokens. */
export interface CollectionSeen {
  readonly kind: "collection";
  readonly collectionAddr: HexAddress;
  /** Empty if the chain has none. */
  readonly name: string;
  /**
   * On Move the creator on the chain; on CosmWasm the contract's creator; on EVM the signer of the transaction that
   * created the contract or, if the node does not know it, of the first transaction with the collection.
   */
  readonly creator: HexAddress;
  /** The block in which the collection was created; default: the block of this change. */
  readonly createdAt?: { readonly height: number; readonly timestamp: string } | undefined;
}

/** Existing data of a block that no request could read. */
export interface NotRead {
  /** Its collection; undefined if that is unknown too. */
  readonly collectionAddr: HexAddress | undefined;
  /** Names what was not read, and why. */
  readonly reason: string;
}

/** A block before that of the change, in which it really happened. Default: the block of the change. */
export interface EarlierChange {
  readonly at?: { readonly height: number; readonly timestamp: string } | undefined;
}

/** A new token with its first owner. */
export interface TokenMinted extends EarlierChange {
  readonly kind: "minted";
  readonly collectionAddr: HexAddress;
  /** Decimal on EVM, any string elsewhere. */
  readonly tokenId: string;
  readonly owner: HexAddress;
  /** Empty if the chain has none; undefined if it is to be read, see {@link NftChain.readUris}. */
  readonly uri: string | undefined;
  /** The token's object on Move; undefined elsewhere. */
  readonly objectAddr: HexAddress | undefined;
  readonly txHash: string;
}

/**
 * A token's new owner. An unknown token is added: indexing may have started after its mint. Unless it is named by its
 * object: not every Move object is a token, so unknown objects are ignored.
 */
export interface TokenTransferred extends EarlierChange {
  readonly kind: "transferred";
  readonly token: TokenReference;
  readonly owner: HexAddress;
  readonly txHash: string;
}

/** A burned token; an unknown token is ignored. */
export interface TokenBurned extends EarlierChange {
  readonly kind: "burned";
  readonly token: TokenReference;
  readonly txHash: string;
}

/** A token's new metadata URI; an unknown token is ignored. */
export interface TokenUriChanged {
  readonly kind: "uriChanged";
  readonly token: TokenReference;
  /** Undefined if it is to be read, see {@link NftChain.readUris}. */
  readonly uri: string | undefined;
  readonly txHash: string;
}

/** New metadata URIs of the tokens of a collection whose decimal IDs are in a range; they are read again in the background. */
export interface UrisChanged {
  readonly kind: "urisChanged";
  readonly collectionAddr: HexAddress;
  readonly firstId: bigint;
  /** Inclusive. */
  readonly lastId: bigint;
}

/** The name that collections have on the chain from which they came over IBC, after a transfer. */
export interface OriginNamed {
  readonly kind: "originNamed";
  /** The name of the collections on this chain; those that are known after the block. */
  readonly name: string;
  readonly originName: string;
}

/** A token whose URI is to be read. */
export interface PendingUri {
  readonly collectionAddr: HexAddress;
  readonly tokenId: string;
  /** The token's object on Move; undefined elsewhere. */
  readonly objectAddr?: HexAddress | undefined;
  /** The block that minted the token or changed its URI: the URI is read in the state after it. */
  readonly height: number;
  /** Number of URIs to read because of that block; they share what one block may cost. */
  readonly urisInBlock: number;
}

/** A token's URI as of a block. */
export interface UriRead extends Omit<PendingUri, "urisInBlock" | "objectAddr"> {
  /** Empty if the chain has none. */
  readonly uri: string;
  /** Names what was not read, and why. Default: everything was read. */
  readonly notRead?: string | undefined;
}

/** A change that a block can make to NFTs. */
export type NftChange =
  CollectionSeen | TokenMinted | TokenTransferred | TokenBurned | TokenUriChanged | UrisChanged | OriginNamed;

/** Maximum changes in one read of several blocks, which are held in memory. */
export const maxChanges = 2_000;

/** The changes of one block, in the order of the chain. */
export interface NftBlock {
  readonly height: number;
  /** The block's time, RFC 3339 in UTC with up to 6 fractional digits. */
  readonly timestamp: string;
  readonly changes: readonly NftChange[];
  /** Default: everything was read. */
  readonly notRead?: readonly NotRead[] | undefined;
  /** Contracts that are not collections yet, and whose first transfers like a collection's are in this block. Default: none. */
  readonly others?: readonly HexAddress[] | undefined;
}

/** Options for reading blocks. */
export interface ReadBlocksOptions {
  /** True if a collection is already stored, so that its name is not needed. */
  readonly isKnown: (collectionAddr: HexAddress) => boolean;
  /** The block that named a contract in its `others`, from which on its transfers were not stored; undefined for any other contract. */
  readonly otherSince?: ((address: HexAddress) => number | undefined) | undefined;
  readonly signal: AbortSignal;
}

/**
 * A chain to index. It must not reorganize, like Initia's rollups: a block that was read never changes.
 */
export interface NftChain {
  /**
   * The chain ID as in `/status`: a Cosmos chain ID, or `eth_chainId` in decimal.
   *
   * @throws NodeError
   */
  readonly readChainId: (signal: AbortSignal) => Promise<string>;
  /**
   * The hash of a block, lowercase hex; undefined if the node does not have the block (anymore). It detects a chain
   * that was restarted under the same ID.
   *
   * @throws NodeError
   */
  readonly readBlockHash: (height: number, signal: AbortSignal) => Promise<string | undefined>;
  /**
   * The newest block's height.
   *
   * @throws NodeError
   */
  readonly readHead: (signal: AbortSignal) => Promise<number>;
  /**
   * The blocks from `first` to `last`, inclusive, that change NFTs, ascending; others are omitted.
   *
   * @throws RangeTooLargeError if several blocks have more than 2,000 changes; NodeError
   */
  readonly readBlocks: (first: number, last: number, options: ReadBlocksOptions) => Promise<readonly NftBlock[]>;
  /**
   * The URIs of tokens whose changes came without one, in the order of the tokens. A chain whose changes have all URIs is
   * never asked.
   *
   * @throws NodeError
   */
  readonly readUris: (pending: readonly PendingUri[], signal: AbortSignal) => Promise<readonly UriRead[]>;
  /**
   * How many tokens a collection says it has after a block; undefined if it does not say it, or the node has pruned that
   * state. Absent on a chain whose collections never say it.
   *
   * @throws NodeError
   */
  readonly countTokens?:
    ((collectionAddr: HexAddress, height: number, signal: AbortSignal) => Promise<number | undefined>) | undefined;
  /** The name of a collection after a block; undefined if its contract gives none. Default: names do not come later. */
  readonly readName?:
    ((collectionAddr: HexAddress, height: number, signal: AbortSignal) => Promise<string | undefined>) | undefined;
  /** Suitable number of blocks per read. */
  readonly blocksPerRead: number;
}
