import type { CollectionSeen, HexAddress, NftChange } from "../nftChain.ts";
import type { CometNode } from "./cometNode.ts";
import { findCollection, type AskedContract } from "./cw721Contract.ts";
import { findMoveCollection } from "./moveCollection.ts";

/** Most contracts that are remembered to be no collections; the oldest is forgotten first, and asked again. */
const maxRefused = 10_000;

/**
 * Contracts that told of tokens as a CW-721 contract does, but are none. One that becomes a collection later, by a
 * migration, is met as such after the next start.
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

/** What the collections of one read need to be found. */
interface FinderParts {
  readonly node: CometNode;
  readonly isKnown: (collectionAddr: HexAddress) => boolean;
  readonly refused: RefusedContracts;
  readonly signal: AbortSignal;
}

/** Finds the collections of one read of blocks, and asks the chain for each at most once. */
export class CollectionFinder {
  readonly #parts: FinderParts;
  /** Collections that a change was given for. */
  readonly #told = new Set<HexAddress>();
  readonly #asked = new Map<HexAddress, Promise<CollectionSeen | undefined>>();

  constructor(parts: FinderParts) {
    this.#parts = parts;
  }

  /** Whether a contract is a collection. @throws NodeError */
  async isCollection(asked: AskedContract): Promise<boolean> {
    return this.#parts.isKnown(asked.contract.collectionAddr) || (await this.findNew(asked)) !== undefined;
  }

  /** The collection that a contract is; undefined for another contract, or one that is stored already. @throws NodeError */
  async findNew(asked: AskedContract): Promise<CollectionSeen | undefined> {
    const { isKnown, refused } = this.#parts;
    const { collectionAddr } = asked.contract;
    if (isKnown(collectionAddr) || refused.has(collectionAddr)) return undefined;
    const found = await this.#once(collectionAddr, () => findCollection(asked));
    if (found === undefined) refused.add(collectionAddr);
    return found;
  }

  /**
   * A change, after its collection where nothing told of that yet: the one that a contract is, or what the chain has of a
   * Move collection that was made before the first block that is read. In the order of the chain.
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

/** The collection that has to be known for a change; a token that is not known needs none to stay so. */
function neededCollection(change: NftChange): HexAddress | undefined {
  if (change.kind === "collection" || change.kind === "minted") return change.collectionAddr;
  if (change.kind !== "transferred") return undefined;
  return "collectionAddr" in change.token ? change.token.collectionAddr : undefined;
}
