/** A change of a token's owner. */
export interface TokenChange {
  readonly height: number;
  readonly collection: string;
  readonly tokenId: string;
  /** The token's object; empty if it has none. */
  readonly object: string;
  /** False for a change of an object that a token had before, and may have no longer. */
  readonly isOfToken: boolean;
  /** Empty if the token was burned. */
  readonly owner: string;
}

/** Who owned a token after each block from `first` on. */
export interface OwnerPeriod {
  readonly collection: string;
  readonly tokenId: string;
  readonly owner: string;
  readonly first: number;
  /** The first block after which it was no longer the owner; undefined if there was none. */
  readonly end: number | undefined;
}

/** The owner after the blocks from `height` on; empty if the token did not exist. */
interface Owner {
  readonly owner: string;
  readonly height: number;
}

const nobody: Owner = { owner: "", height: 0 };

/**
 * Makes periods of changes that come token by token, those of a token in the order of the chain. Owners are those after each block:
 * a token that leaves its owner and returns within one block has stayed.
 */
export class OwnerPeriods {
  #token: Pick<OwnerPeriod, "collection" | "tokenId"> = { collection: "", tokenId: "" };
  /** The token's object, until it is burned. */
  #object = "";
  #owner = nobody;
  /** The owner after the newest change, whose block may have more. */
  #newest = nobody;

  /** Adds a change, and returns the periods that are now complete. */
  add({ height, collection, tokenId, object, isOfToken, owner }: TokenChange): readonly OwnerPeriod[] {
    const ended: OwnerPeriod[] = [];
    if (collection !== this.#token.collection || tokenId !== this.#token.tokenId) {
      ended.push(...this.finish());
      this.#token = { collection, tokenId };
    }
    // An ID can be minted again, with another object.
    if (!isOfToken && object !== this.#object) return ended;
    if (isOfToken && object !== "") this.#object = object;
    if (owner === "") this.#object = "";
    if (height !== this.#newest.height) ended.push(...this.#endBlock());
    this.#newest = { owner, height };
    return ended;
  }

  /** Ends the newest token, and returns its last periods. */
  finish(): readonly OwnerPeriod[] {
    const ended = [...this.#endBlock(), ...this.#periodUntil(undefined)];
    this.#object = "";
    this.#owner = nobody;
    this.#newest = nobody;
    return ended;
  }

  #endBlock(): readonly OwnerPeriod[] {
    if (this.#newest.owner === this.#owner.owner) return [];
    const ended = this.#periodUntil(this.#newest.height);
    this.#owner = this.#newest;
    return ended;
  }

  #periodUntil(end: number | undefined): readonly OwnerPeriod[] {
    const { owner, height: first } = this.#owner;
    return owner === "" ? [] : [{ ...this.#token, owner, first, end }];
  }
}
