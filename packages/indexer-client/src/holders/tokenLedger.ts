import type { IndexerServerError } from "../http/indexerErrors.ts";
import type { NftToken } from "../tokens.ts";

/** A row that the server cannot serve: every page with it fails with status 500. */
export interface UnreadableToken {
  /** The token's ID if the server confirmed it; null if only its neighbors are known. */
  readonly tokenId: string | null;
  /** The readable token before it in the order of last change; null at the start. */
  readonly after: TokenPlace | null;
  /** The readable token after it in the order of last change; null at the end. */
  readonly before: TokenPlace | null;
  /** The server's answer. */
  readonly error: IndexerServerError;
}

/** A token's position in its collection: by its last change, then by its ID. */
export interface TokenPlace {
  /** Block of the last change. */
  readonly height: number;
  readonly tokenId: string;
}

/** Key of a row: the token's ID, or the row itself if it has none. */
export type LedgerKey = string | UnreadableToken;

interface Entry {
  readonly height: number;
  readonly owner: string;
}

/**
 * The tokens of a collection as they were last listed, in the order of their last change.
 *
 * The order is the server's: add rows in the order of an ascending listing by height. A token that is added again moves
 * to the end, as in the listing.
 */
export class TokenLedger {
  readonly #entries = new Map<LedgerKey, Entry>();
  /** One string for each form of an owner: JSON.parse creates a new string for each row. */
  readonly #owners = new Map<string, string>();
  #last: TokenPlace | undefined;
  #unreadableSinceLast = 0;

  /** Number of rows, including unreadable rows. */
  get size(): number {
    return this.#entries.size;
  }

  /** The position of the last readable row. */
  get last(): TokenPlace | undefined {
    return this.#last;
  }

  /** Number of unreadable rows after the last readable row. */
  get unreadableSinceLast(): number {
    return this.#unreadableSinceLast;
  }

  get unreadable(): readonly UnreadableToken[] {
    return Array.from(this.#entries.keys()).filter((key) => typeof key !== "string");
  }

  /** True if the ledger has this exact row. */
  has(row: NftToken): boolean {
    const entry = this.#entries.get(row.nft.token_id);
    return entry !== undefined && entry.height === row.height && entry.owner === row.owner;
  }

  /** Adds a row at the end; returns false if the ledger has this exact row. */
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

  /** Adds an unreadable row at the end. */
  placeUnreadable(row: UnreadableToken): void {
    this.#entries.set(row, { height: this.#last?.height ?? 0, owner: "" });
    this.#unreadableSinceLast += 1;
  }

  /** Removes a row. */
  remove(key: LedgerKey): void {
    this.#entries.delete(key);
  }

  /** The height of a token's last change; undefined if the ledger does not have it. */
  heightOf(key: LedgerKey): number | undefined {
    return this.#entries.get(key)?.height;
  }

  /** All rows in order. */
  keys(): LedgerKey[] {
    return Array.from(this.#entries.keys());
  }

  /** Number of tokens by owner, as the server writes it, without unreadable rows. */
  tally(): Map<string, number> {
    const tally = new Map<string, number>();
    for (const [key, { owner }] of this.#entries) {
      if (typeof key === "string") tally.set(owner, (tally.get(owner) ?? 0) + 1);
    }
    return tally;
  }
}
