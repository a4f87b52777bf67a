import type { CollectionSeen, HexAddress, NftBlock, NftChange, PendingUri, TokenReference } from "../chain/nftChain.ts";
import type { TokenName } from "./database.ts";
import { databaseInvalid } from "./databaseErrors.ts";
import { maxNameBytes, storableText, storableUri, tokenIdFault } from "./storableText.ts";
import {
  tokenKey,
  type CollectionState,
  type LeftOut,
  type StoredState,
  type TokenState,
  type TokenTransactionRow,
} from "./store.ts";
import { joinTokenIds, type UriUpdate } from "./uriUpdates.ts";

/** The net result of blocks: each token once, however often it changed. */
export interface FoldedBlocks {
  readonly newCollections: readonly CollectionState[];
  /** Tokens that exist after the blocks and are new or changed. */
  readonly written: readonly TokenState[];
  /** Tokens that existed before the blocks but not after. */
  readonly removed: readonly TokenState[];
  readonly pendingUris: readonly PendingUri[];
  /** Tokens that existed before the blocks, and whose URI is not to be read anymore, or as of another block. */
  readonly changedUris: readonly TokenName[];
  /** The owners and collections of changed tokens, with changes in how many the owner holds, which may be 0. */
  readonly holdingChanges: readonly HoldingChange[];
  /** In chain order, each transaction once for each token. */
  readonly transactions: readonly TokenTransactionRow[];
  readonly leftOut: readonly LeftOut[];
  /** Collections whose URIs are to be read again. */
  readonly uriUpdates: readonly UriUpdate[];
  /** By the collections' name, until the block that says it. */
  readonly originNames: ReadonlyMap<string, { readonly originName: string; readonly height: number }>;
  /** New contracts that are no collections yet. */
  readonly others: readonly { readonly address: HexAddress; readonly height: number }[];
}

/** A holding with a changed token. */
export interface HoldingChange {
  readonly owner: HexAddress;
  readonly collection: CollectionState;
  readonly change: number;
}

/** Applies the changes of blocks to the stored state of their tokens. */
export function foldBlocks(blocks: readonly NftBlock[], stored: StoredState, maxUriBytes: number): FoldedBlocks {
  const fold = new Fold(stored, maxUriBytes);
  for (const block of blocks) {
    for (const address of block.others ?? []) fold.others.push({ address, height: block.height });
    for (const lost of block.notRead ?? []) fold.leftOut.push({ height: block.height, ...lost });
    const urisInBlock = countUrisToRead(block);
    for (const change of block.changes) fold.apply(change, block, urisInBlock);
  }
  return fold.result();
}

function countUrisToRead({ changes }: NftBlock): number {
  const keys = changes.flatMap((change) => {
    if ((change.kind !== "minted" && change.kind !== "uriChanged") || change.uri !== undefined) return [];
    const reference = change.kind === "minted" ? change : change.token;
    return "tokenId" in reference ? tokenKey(reference) : reference.objectAddr;
  });
  return new Set(keys).size;
}

class Fold {
  readonly others: { readonly address: HexAddress; readonly height: number }[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #collections = new Map<HexAddress, CollectionState>();
  readonly #newCollections: CollectionState[] = [];
  readonly #histories = new Map<string, { readonly before: TokenState | undefined; now: TokenState | undefined }>();
  readonly #byObject = new Map<HexAddress, string>();
  readonly #transactions = new Map<string, TokenTransactionRow>();
  readonly #transactionCounts: Map<string, number>;
  /** By token; undefined for a URI that is not to be read. */
  readonly #pendingUris = new Map<string, PendingUri | undefined>();
  readonly #uriUpdates = new Map<HexAddress, UriUpdate>();
  readonly #originNames = new Map<string, { readonly originName: string; readonly height: number }>();
  readonly #maxUriBytes: number;

  constructor({ tokens, collections, transactionCounts }: StoredState, maxUriBytes: number) {
    this.#maxUriBytes = maxUriBytes;
    this.#transactionCounts = new Map(transactionCounts);
    for (const collection of collections) this.#collections.set(collection.collectionAddr, collection);
    for (const token of tokens) {
      const key = tokenKey(token);
      this.#histories.set(key, { before: token, now: token });
      if (token.objectAddr) this.#byObject.set(token.objectAddr, key);
    }
  }

  apply(change: NftChange, block: NftBlock, urisInBlock: number): void {
    if (change.kind === "collection") {
      this.#addCollection(change, block);
      return;
    }
    if (change.kind === "urisChanged") {
      const { collectionAddr } = change;
      const ids = joinTokenIds(this.#uriUpdates.get(collectionAddr) ?? change, change);
      this.#uriUpdates.set(collectionAddr, { collectionAddr, ...ids, height: block.height });
      return;
    }
    if (change.kind === "originNamed") {
      const originName = storableText(change.originName, maxNameBytes);
      this.#originNames.set(storableText(change.name, maxNameBytes), { originName, height: block.height });
      return;
    }
    const { height, timestamp } = ("at" in change ? change.at : undefined) ?? block;
    const reference = change.kind === "minted" ? change : change.token;
    const named = this.#find(reference);
    if (named === undefined) return;
    const { collectionAddr, tokenId } = named;
    const mayBeNew = change.kind === "minted" || change.kind === "transferred";
    const fault = tokenIdFault(tokenId);
    if (fault !== undefined) {
      if (mayBeNew) this.leftOut.push({ height, collectionAddr, reason: fault });
      return;
    }
    const key = tokenKey(named);
    const course = this.#histories.get(key) ?? { before: undefined, now: undefined };
    if (!course.now && !mayBeNew) return;
    this.#requireCollection(collectionAddr, block);

    if (change.kind === "burned") {
      course.now = undefined;
      this.#pendingUris.set(key, undefined);
    } else {
      const known = course.now ?? { owner: undefined, uri: "", objectAddr: undefined };
      const owner = change.kind === "uriChanged" ? known.owner : change.owner;
      if (owner === undefined) return;
      let { uri } = known;
      if (change.kind !== "transferred") {
        if (change.uri !== undefined) uri = this.#storableUri(change.uri, collectionAddr, height);
        else if (change.kind === "minted") uri = "";
        const pending = { collectionAddr, tokenId, height: block.height, urisInBlock };
        this.#pendingUris.set(key, change.uri === undefined ? pending : undefined);
      }
      const objectAddr = change.kind === "minted" ? change.objectAddr : known.objectAddr;
      course.now = { collectionAddr, tokenId, owner, uri, objectAddr, height, timestamp };
      if (objectAddr) this.#byObject.set(objectAddr, key);
    }
    this.#histories.set(key, course);
    const { txHash } = change;
    const transaction = `${key}/${txHash}`;
    if (this.#transactions.has(transaction)) return;
    const number = (this.#transactionCounts.get(key) ?? 0) + 1;
    this.#transactionCounts.set(key, number);
    this.#transactions.set(transaction, { collectionAddr, tokenId, number, txHash, height, timestamp });
  }

  result(): FoldedBlocks {
    const written: TokenState[] = [];
    const removed: TokenState[] = [];
    const pendingUris = [...this.#pendingUris.values()].filter((pending) => pending !== undefined);
    const changedUris = [...this.#pendingUris.keys()].flatMap((key) => this.#histories.get(key)?.before ?? []);
    const holdings = new Map<string, { owner: HexAddress; collection: CollectionState; change: number }>();
    const hold = ({ owner, collectionAddr }: TokenState, by: number) => {
      const key = `${owner}/${collectionAddr}`;
      const collection = this.#collections.get(collectionAddr);
      if (!collection) throw databaseInvalid(`collection ${collectionAddr} of a stored token is not stored`);
      const holding = holdings.get(key) ?? { owner, collection, change: 0 };
      holding.change += by;
      holdings.set(key, holding);
    };
    for (const { before, now } of this.#histories.values()) {
      if (before === now) continue;
      if (before) hold(before, -1);
      if (now) hold(now, 1);
      if (now) written.push(now);
      else if (before) removed.push(before);
    }
    return {
      newCollections: this.#newCollections,
      written,
      removed,
      pendingUris,
      changedUris,
      holdingChanges: [...holdings.values()],
      transactions: [...this.#transactions.values()],
      leftOut: this.leftOut,
      uriUpdates: [...this.#uriUpdates.values()],
      originNames: this.#originNames,
      others: this.others,
    };
  }

  /** The stored form of a URI; counts what the databases do not accept. */
  #storableUri(uri: string, collectionAddr: HexAddress, height: number): string {
    const { text, lost } = storableUri(uri, this.#maxUriBytes);
    if (lost !== undefined) this.leftOut.push({ height, collectionAddr, reason: lost });
    return text;
  }

  /** The collection and ID of a change; undefined for an object that is not a known token. */
  #find(reference: TokenReference): { readonly collectionAddr: HexAddress; readonly tokenId: string } | undefined {
    if ("tokenId" in reference) return reference;
    const token = this.#histories.get(this.#byObject.get(reference.objectAddr) ?? "")?.now;
    // An ID can be minted again, with another object.
    return token?.objectAddr === reference.objectAddr ? token : undefined;
  }

  #addCollection({ collectionAddr, name, creator, createdAt }: CollectionSeen, block: NftBlock): void {
    if (this.#collections.has(collectionAddr)) return;
    const { height, timestamp } = createdAt ?? block;
    const kept = storableText(name, maxNameBytes);
    const collection: CollectionState = { collectionAddr, name: kept, creator, height, timestamp };
    this.#collections.set(collectionAddr, collection);
    this.#newCollections.push(collection);
  }

  /**
   * Adds and reports a placeholder for a collection that the chain's reader did not announce, so that its tokens are
   * not lost.
   */
  #requireCollection(collectionAddr: HexAddress, block: NftBlock): void {
    if (this.#collections.has(collectionAddr)) return;
    const reason = "the name and the creator of a collection that was not announced";
    this.leftOut.push({ height: block.height, collectionAddr, reason });
    this.#addCollection({ kind: "collection", collectionAddr, name: "", creator: collectionAddr }, block);
  }
}
