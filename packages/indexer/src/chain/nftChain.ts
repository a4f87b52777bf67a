/** An address as lower-case `0x` hex of its bytes: 20 of them, or 32 where the first 12 are not all zero. */
export type HexAddress = `0x${string}`;

/** Which token a change is about: by its collection and id, or on Move by its object alone. */
export type TokenReference =
  { readonly collectionAddr: HexAddress; readonly tokenId: string } | { readonly objectAddr: HexAddress };

/** A collection that a chain's reader met for the first time; comes before the changes of its tokens. */
export interface CollectionSeen {
  readonly kind: "collection";
  readonly collectionAddr: HexAddress;
  /** Empty where the chain tells none. */
  readonly name: string;
  /**
   * On Move the creator that the chain tells; on CosmWasm who made the contract; on EVM who signed the transaction that created
   * the contract, or, where the node does not know it, the first one in which the collection was seen.
   */
  readonly creator: HexAddress;
  /** The block in which the collection was created; default: the block of this change. */
  readonly createdAt?: { readonly height: number; readonly timestamp: string } | undefined;
}

/** Something of the block that exists and that no way of asking could read. */
export interface NotRead {
  /** The collection it is about; undefined where that is unknown too. */
  readonly collectionAddr: HexAddress | undefined;
  /** Names what was not read, and why. */
  readonly reason: string;
}

/** A token that exists from here on, with its first owner. */
export interface TokenMinted {
  readonly kind: "minted";
  readonly collectionAddr: HexAddress;
  /** Decimal on EVM, any text elsewhere. */
  readonly tokenId: string;
  readonly owner: HexAddress;
  /** Empty where the chain tells none. */
  readonly uri: string;
  /** The token's object on Move; undefined elsewhere. */
  readonly objectAddr: HexAddress | undefined;
  readonly txHash: string;
}

/**
 * A token's new owner. A token that was not known exists from here on: the follower may have begun after it was minted. Except
 * when it is named by its object: not every Move object is a token, so what is not known is none.
 */
export interface TokenTransferred {
  readonly kind: "transferred";
  readonly token: TokenReference;
  readonly owner: HexAddress;
  readonly txHash: string;
}

/** A token that is no more; one that was not known stays unknown. */
export interface TokenBurned {
  readonly kind: "burned";
  readonly token: TokenReference;
  readonly txHash: string;
}

/** A token's new metadata URI; one that was not known stays unknown. */
export interface TokenUriChanged {
  readonly kind: "uriChanged";
  readonly token: TokenReference;
  readonly uri: string;
  readonly txHash: string;
}

/** What a block can do to NFTs. */
export type NftChange = CollectionSeen | TokenMinted | TokenTransferred | TokenBurned | TokenUriChanged;

/** Changes that one read of several blocks may bring: what was read waits in memory. */
export const mostChanges = 2_000;

/** A range of several blocks has more than {@link mostChanges}. */
export class RangeTooFull extends Error {
  override readonly name: string = "RangeTooFull";
  /** How many blocks from its beginning to read instead, at least 1. */
  readonly blocks: number;

  constructor(blocks: number) {
    super(`the range has too many changes; read ${blocks} blocks of it`);
    this.blocks = blocks;
  }
}

/** The changes of one block, in the order of the chain. */
export interface NftBlock {
  readonly height: number;
  /** The block's time, RFC 3339 in UTC with up to 6 fractional digits. */
  readonly timestamp: string;
  readonly changes: readonly NftChange[];
  /** Default: everything was read. */
  readonly notRead?: readonly NotRead[] | undefined;
}

/** What a reader of blocks needs besides their numbers. */
export interface ReadBlocksOptions {
  /** Whether a collection is stored already, so that its name need not be asked for. */
  readonly isKnown: (collectionAddr: HexAddress) => boolean;
  readonly signal: AbortSignal;
}

/**
 * A chain as the indexer follows it. Chains without reorganisations are assumed, as Initia's rollups are: a block that was
 * read once never changes.
 */
export interface NftChain {
  /**
   * The chain's id as the API tells it in `/status`: a Cosmos chain id, or `eth_chainId` in decimal.
   *
   * @throws NodeError
   */
  readonly readChainId: (signal: AbortSignal) => Promise<string>;
  /**
   * The hash of a block, lower-case hex; undefined where the node has no such block (any more). By it a chain that was started
   * anew under the same id is told from the one that was indexed.
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
   * The blocks from `first` to `last`, both included, that change NFTs, ascending; those that change none are left out.
   *
   * @throws RangeTooFull; NodeError
   */
  readonly readBlocks: (first: number, last: number, options: ReadBlocksOptions) => Promise<readonly NftBlock[]>;
  /** How many blocks are worth asking for at once. */
  readonly blocksPerRead: number;
}
