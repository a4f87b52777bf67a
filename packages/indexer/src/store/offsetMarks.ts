import type { TokenPlace } from "./store.ts";

/** Rows between two marks of a listing. */
export const rowsPerMark = 1_000;

/** Listings whose marks are kept: the least recently used one is dropped first. */
const maxListings = 200;

/** A row of a listing, and how many rows it and those before it are. */
export interface OffsetMark {
  readonly offset: number;
  readonly place: TokenPlace;
}

interface MarkedListing {
  /** The block of the listing's last change when its marks were made. */
  readonly changedAt: number;
  /** By offset divided by {@link rowsPerMark}. */
  readonly marks: Map<number, OffsetMark>;
}

/**
 * The places of some rows of large listings, as requests came by them: a page after a large offset is read from the
 * nearest one. A mark holds while its listing does not change, so its user compares the listing's `changedAt`.
 */
export class OffsetMarks {
  readonly #listings = new Map<string, MarkedListing>();

  /** Returns the last known mark at or before an offset, with the block of its listing's last change. */
  before(listing: string, offset: number): (OffsetMark & { readonly changedAt: number }) | undefined {
    const marked = this.#listings.get(listing);
    if (marked === undefined) return undefined;
    for (let step = Math.floor(offset / rowsPerMark); step >= 0; step -= 1) {
      const mark = marked.marks.get(step);
      if (mark !== undefined && mark.offset <= offset) return { ...mark, changedAt: marked.changedAt };
    }
    return undefined;
  }

  /** Keeps a mark of a listing whose last change was in that block. */
  keep(listing: string, changedAt: number, mark: OffsetMark): void {
    const known = this.#listings.get(listing);
    // A page read before the last change can arrive after it.
    if (known !== undefined && known.changedAt > changedAt) return;
    const marked = known?.changedAt === changedAt ? known : { changedAt, marks: new Map<number, OffsetMark>() };
    const step = Math.floor(mark.offset / rowsPerMark);
    const held = marked.marks.get(step);
    if (held === undefined || mark.offset < held.offset) marked.marks.set(step, mark);
    this.#listings.delete(listing);
    this.#listings.set(listing, marked);
    const [oldest] = this.#listings.keys();
    if (this.#listings.size > maxListings && oldest !== undefined) this.#listings.delete(oldest);
  }
}
