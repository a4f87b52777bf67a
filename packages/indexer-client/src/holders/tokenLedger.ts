import type { IndexerServerError } from "../http/indexerErrors.ts";
import type { NftToken } from "../tokens.ts";

/** A row of a collection that the server cannot serve: each page with it answers 500. */
export interface UnreadableToken {
  /** The token's id where the server confirmed it; null where only its neighbors are known. */
  readonly tokenId: string | null;
  /** The readable token before it in the order of last change; null at the start. */
  readonly after: TokenPlace | null;
  /** The readable token after it in the order of last change; null at the end. */
  readonly before: TokenPlace | null;
  /** What the server answered. */
  readonly error: IndexerServerError;
}

/** Where a token stands among those of its collection: by its last change, then by its id. */
export interface TokenPlace {
  /** Block of the last change. */
  readonly height: number;
  readonly tokenId: string;
}

/** What a row is kept by: a token's id, or the row itself where it has none. */
export type LedgerKey = string | UnreadableToken;

interface Entry {
  readonly height: number;
  readonly owner: string;
}

/**
 * The tokens of a collection as they were last listed, in the order of their last change.
 *
 * The order is the server's: rows have to be placed as an ascending listing by height gives them. A token that is placed again
 * moves to the end, as it does in the listing.
 */
export class TokenLedger {
  readonly #entries = new Map<LedgerKey, Entry>();
  /** One text for each spelling of an owner: JSON gives a text of its own for each row. */
  readonly #owners = new Map<string, string>();
  #last: TokenPlace | undefined;
  #unreadableSinceLast = 0;

  /** How many rows there are, unreadable ones included. */
  get size(): number {
    return this.#entries.size;
  }

  /** The place of the last readable row. */
  get last(): TokenPlace | undefined {
    return this.#last;
  }

  /** How many unreadable rows follow the last readable one. */
  get unreadableSinceLast(): number {
    return this.#unreadableSinceLast;
  }

  get unreadable(): readonly UnreadableToken[] {
    return Array.from(this.#entries.keys()).filter((key) => typeof key !== "string");
  }

  /** True where the row is here as it is now. */
  has(row: NftToken): boolean {
    const entry = this.#entries.get(row.nft.token_id);
    return entry !== undefined && entry.height === row.height && entry.owner === row.owner;
  }

  /** Places a row at the end; false where it is here as it is now. */
  place(row: NftToken): boolean {
    if (this.has(row)) return false;
    const { height, nft } = row;
    const owner = this.#owners.get(row.owner) ?? row.owner;
    this.#owners.set(owner, owner);
    this.#entries.delete(nft.token_id);
    this.#entries.set(nft.token_id, { height, owner });
    this.#last = { height, tokenId: nft.token_id };
    this.#unreadableSinceLast = 0;
    return true;
  }

  /** Places an unreadable row at the end. */
  placeUnreadable(row: UnreadableToken): void {
    this.#entries.set(row, { height: this.#last?.height ?? 0, owner: "" });
    this.#unreadableSinceLast += 1;
  }

  /** Takes a row out. */
  remove(key: LedgerKey): void {
    this.#entries.delete(key);
  }

  /** The height of a token's last change; undefined where the ledger does not have it. */
  heightOf(key: LedgerKey): number | undefined {
    return this.#entries.get(key)?.height;
  }

  /** All rows in their order. */
  keys(): LedgerKey[] {
    return Array.from(this.#entries.keys());
  }

  /** Tokens by owner, as the server spells it; unreadable rows left out. */
  tally(): Map<string, number> {
    const tally = new Map<string, number>();
    for (const [key, { owner }] of this.#entries) {
      if (typeof key === "string") tally.set(owner, (tally.get(owner) ?? 0) + 1);
    }
    return tally;
  }
}
