import type { CometNode } from "@vipscore/blocks/cosmos";
import type { CollectionSeen, HexAddress, NftChange } from "../nftChain.ts";
import { findCollection, type AskedContract } from "./cw721Contract.ts";
import { findMoveCollection } from "./moveCollection.ts";

/** Maximum number of remembered contracts that are not collections; the oldest is forgotten first and queried again. */
const maxRefused = 10_000;

/**
 * Contracts with events like CW-721 that are not collections. One that becomes a collection in a migration is found
 * after the next start.
 */
export class RefusedContracts {
  readonly #addresses = new Set<HexAddress>();

  has(address: HexAddress): boolean {
    return this.#addresses.has(address);
  }

  add(address: HexAddress): void {
    this.#addresses.add(address);
    if (this.#addresses.size <= maxRefused) return;
    for (const oldest of this.#addresses) {
      this.#addresses.delete(oldest);
      return;
    }
  }
}

/** Inputs for finding the collections of one read. */
interface FinderParts {
  readonly node: CometNode;
  readonly isKnown: (collectionAddr: HexAddress) => boolean;
  readonly refused: RefusedContracts;
  readonly signal: AbortSignal;
}

/** Finds the collections of one read of blocks; queries the chain at most once for each. */
export class CollectionFinder {
  readonly #parts: FinderParts;
  /** Collections with a returned change. */
  readonly #told = new Set<HexAddress>();
  readonly #asked = new Map<HexAddress, Promise<CollectionSeen | undefined>>();

  constructor(parts: FinderParts) {
    this.#parts = parts;
  }

  /** Returns true if a contract is a collection. @throws NodeError */
  async isCollection(asked: AskedContract): Promise<boolean> {
    return this.#parts.isKnown(asked.contract.collectionAddr) || (await this.findNew(asked)) !== undefined;
  }

  /** Returns a contract's collection; undefined for another contract, or if it is already stored. @throws NodeError */
  async findNew(asked: AskedContract): Promise<CollectionSeen | undefined> {
    const { isKnown, refused } = this.#parts;
    const { collectionAddr } = asked.contract;
    if (isKnown(collectionAddr) || refused.has(collectionAddr)) return undefined;
    const found = await this.#once(collectionAddr, () => findCollection(asked));
    if (found === undefined) refused.add(collectionAddr);
    return found;
  }

  /**
   * Returns a change, preceded by its collection if that is new: a contract's collection, or the chain's data of a Move
   * collection created before the first block. In chain order.
   *
   * @throws NodeError
   */
  async introduce(change: NftChange, height: number): Promise<readonly NftChange[]> {
    const collectionAddr = neededCollection(change);
    if (collectionAddr === undefined) return [change];
    const isNew = !this.#told.has(collectionAddr) && !this.#parts.isKnown(collectionAddr);
    this.#told.add(collectionAddr);
    if (change.kind === "collection") return isNew ? [change] : [];
    if (!isNew) return [change];
    const { node, signal } = this.#parts;
    const ask = () => findMoveCollection(node, collectionAddr, height, signal);
    const collection = await this.#once(collectionAddr, ask);
    return collection === undefined ? [] : [collection, change];
  }

  #once(address: HexAddress, ask: () => Promise<CollectionSeen | undefined>): Promise<CollectionSeen | undefined> {
    const asked = this.#asked.get(address) ?? ask();
    this.#asked.set(address, asked);
    return asked;
  }
}

/** The collection that a change requires; an unknown token needs none. */
function neededCollection(change: NftChange): HexAddress | undefined {
  if (change.kind === "collection" || change.kind === "minted") return change.collectionAddr;
  if (change.kind !== "transferred") return undefined;
  return "collectionAddr" in change.token ? change.token.collectionAddr : undefined;
}
