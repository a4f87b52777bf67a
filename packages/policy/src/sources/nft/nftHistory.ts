import type { NftChangeRow } from "./nftChangesSource.ts";

/** Who owned a token after the blocks from `first` on, until the next period; empty if it did not exist. */
export interface OwnerPeriod {
  readonly owner: string;
  readonly first: number;
}

/** A token and its owners. */
export interface TokenHistory {
  readonly collection: string;
  readonly tokenId: string;
  /** Ascending; neighbors have different owners. */
  readonly periods: readonly OwnerPeriod[];
}

/** A token while changes are applied. */
interface OpenHistory extends TokenHistory {
  /** The object that it has, or had before it was burned; empty without one. */
  object: string;
  readonly periods: { owner: string; readonly first: number }[];
}

/**
 * The owners of tokens over time, as of the ends of blocks: a token that leaves its owner and returns within one block has
 * stayed.
 */
export class NftHistory {
  readonly #from: number;
  readonly #tokens = new Map<string, OpenHistory>();
  readonly #byObject = new Map<string, OpenHistory>();
  #size = 0;

  /** @param from The first height that counts: of the periods that end before it, most are forgotten. */
  constructor(from: number) {
    this.#from = from;
  }

  /**
   * Number of tokens and of periods. A token with one period takes some 550 bytes, on Move 660, and each further period 140.
   */
  get size(): number {
    return this.#size;
  }

  /** Applies a change. The order is that of the chain. */
  apply({ height, collection, tokenId, object, owner }: NftChangeRow): void {
    const token = collection === "" ? this.#ofObject(object) : this.#named(collection, tokenId);
    // Not every object is a token.
    if (token === undefined) return;
    if (collection !== "" && object !== "") {
      token.object = object;
      this.#byObject.set(object, token);
    }
    if (owner === "") this.#byObject.delete(token.object);
    const before = token.periods.length;
    this.#change(token.periods, height, owner);
    this.#size += token.periods.length - before;
  }

  /** All tokens that ever existed, by collection and ID, each in the order of its bytes. */
  tokens(): readonly TokenHistory[] {
    return [...this.#tokens.values()].sort(
      (one, other) => compareUtf8(one.collection, other.collection) || compareUtf8(one.tokenId, other.tokenId),
    );
  }

  #ofObject(object: string): OpenHistory | undefined {
    const token = this.#byObject.get(object);
    // An ID can be minted again, with another object.
    return token?.object === object ? token : undefined;
  }

  #named(collection: string, tokenId: string): OpenHistory {
    const key = `${collection}/${tokenId}`;
    const known = this.#tokens.get(key);
    if (known !== undefined) return known;
    const token = { collection, tokenId, object: "", periods: [] };
    this.#tokens.set(key, token);
    this.#size += 1;
    return token;
  }

  #change(periods: OpenHistory["periods"], height: number, owner: string): void {
    const newest = periods.at(-1);
    if (newest?.first === height) {
      newest.owner = owner;
      if ((periods.at(-2)?.owner ?? "") === owner) periods.pop();
      return;
    }
    if ((newest?.owner ?? "") === owner) return;
    periods.push({ owner, first: height });
    // The newest can still be undone in its block, and the one before it then goes on.
    while (periods.length > 2 && (periods[1]?.first ?? this.#from) <= this.#from) periods.shift();
  }
}

/** Compares texts by the bytes of their UTF-8, which is by their code points. */
export function compareUtf8(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const difference = one.charCodeAt(index) - other.charCodeAt(index);
    if (difference !== 0) return rankOf(one.charCodeAt(index)) - rankOf(other.charCodeAt(index));
  }
  return one.length - other.length;
}

/** UTF-16 has surrogates, which stand for the highest code points, below the last 8192 others. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
