import type { PageRequest, Place } from "../store/store.ts";
import { BadRequest, wrongKey, type Pagination } from "./requestParameters.ts";

export interface Listing<Row, After> {
  /** The field of the answer that holds the rows. */
  readonly field: string;
  readonly pagination: Pagination;
  /** Returns the row in a key's object; undefined if it is not a row of this listing. */
  readonly readAfter: (key: Readonly<Record<string, unknown>>) => After | undefined;
  /** Returns the key's object for "after this row". */
  readonly keyAfter: (row: Row, previous: After | undefined) => Readonly<Record<string, unknown>>;
  readonly read: (request: PageRequest<After>) => Promise<readonly Row[]>;
  /** Adds what the rows lack; a shorter list ends the page early. Default: they lack nothing. */
  readonly complete?: ((rows: readonly Row[]) => Promise<readonly Row[]>) | undefined;
  readonly count: () => Promise<number>;
  readonly toJson: (row: Row) => string;
  /** True if keys hold rows from the first page on. */
  readonly alwaysKeyset?: boolean;
  /** True if the answer has the total even if the request turns it off. */
  readonly alwaysCounts?: boolean;
}

/**
 * Returns a page with its keys: the next offset, or after a row its last row, if there are more rows; the previous offset if
 * rows were skipped.
 *
 * @param onRowError - Called with each row that cannot be written; the others are returned.
 */
export async function pageAnswer<Row, After>(
  listing: Listing<Row, After>,
  onRowError: (error: unknown) => void,
): Promise<string> {
  const { field, pagination } = listing;
  const { limit, reverse, offset } = pagination;
  const after = readAfter(listing);
  const place: Place<After> = after === undefined ? { offset } : { after };
  const all = await listing.read({ place, limit: limit + 1, reverse });
  const found = all.slice(0, limit);
  const rows = (await listing.complete?.(found)) ?? found;
  const total = pagination.countTotal || listing.alwaysCounts === true ? await listing.count() : 0;

  const last = rows.at(-1);
  const isKeyset = after !== undefined || listing.alwaysKeyset === true;
  let next: string | null = null;
  if (last !== undefined && rows.length < all.length) {
    next = isKeyset ? JSON.stringify(listing.keyAfter(last, after)) : String(offset + BigInt(rows.length));
  }
  const previous = offset > BigInt(limit) ? offset - BigInt(limit) : 0n;
  const keys = {
    previous_key: !isKeyset && offset > 0n ? toKey(String(previous)) : null,
    next_key: next === null ? null : toKey(next),
    total: String(total),
  };

  // Row by row, so that one bad row does not break the page.
  const written: string[] = [];
  for (const row of rows) {
    try {
      written.push(listing.toJson(row));
    } catch (error) {
      onRowError(error);
    }
  }
  return `{"${field}":[${written.join(",")}],"pagination":${JSON.stringify(keys)}}`;
}

function readAfter<Row, After>({ pagination, readAfter: read }: Listing<Row, After>): After | undefined {
  if (pagination.keyObject === undefined) return undefined;
  const after = read(pagination.keyObject);
  // A real indexer silently starts again at the beginning, which never ends for a client that follows keys.
  if (after === undefined) throw new BadRequest(wrongKey);
  return after;
}

function toKey(text: string): string {
  return Buffer.from(text).toString("base64");
}
