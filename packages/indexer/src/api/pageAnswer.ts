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
 * Returns a page with keys as recorded from a real indexer: after an offset, a full page has the next offset; after a
 * row, a page with rows has its last row, and no previous key.
 *
 * @param onRowError - Called with each row that cannot be written; the others are returned.
 * @returns the JSON.
 */
export async function pageAnswer<Row, After>(
  listing: Listing<Row, After>,
  onRowError: (error: unknown) => void,
): Promise<string> {
  const { field, pagination } = listing;
  const { limit, reverse, offset } = pagination;
  const after = readAfter(listing);
  const place: Place<After> = after === undefined ? { offset } : { after };
  const found = await listing.read({ place, limit, reverse });
  const rows = (await listing.complete?.(found)) ?? found;
  const total = pagination.countTotal || listing.alwaysCounts === true ? await listing.count() : 0;

  const last = rows.at(-1);
  const isKeyset = after !== undefined || listing.alwaysKeyset === true;
  let nextKey: string | null = null;
  if (isKeyset && last !== undefined) nextKey = toKey(JSON.stringify(listing.keyAfter(last, after)));
  const isEarly = rows.length < found.length;
  if (!isKeyset && (isEarly || rows.length === limit)) nextKey = toKey(String(offset + BigInt(rows.length)));
  const hasPrevious = !isKeyset && offset > 0n && offset >= BigInt(limit);
  const keys = {
    previous_key: hasPrevious ? toKey(String(offset - BigInt(limit))) : null,
    next_key: nextKey,
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
