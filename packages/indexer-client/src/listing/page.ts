import { checkAnswer, text, type Check, type Shape } from "../checkAnswer.ts";
import type { Indexer, IndexerRequest } from "../openIndexer.ts";

/** The server's maximum limit; it answers 400 above. */
export const maxLimit = 1000;

/** The server's default limit. */
const defaultLimit = 100;

/** One page of a listing. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Pass as `key` to read the next page; null at the end. A short page is not the end, a null key is. */
  readonly nextKey: string | null;
  /** Pass as `key` to read the previous page; null if the server returns none. */
  readonly previousKey: string | null;
  /** Number of rows in the whole listing; null if not counted, or if the server gave up counting. */
  readonly total: number | null;
}

/** The page of a listing to read. */
export interface PageOptions {
  /** Maximum rows, from 1 to 1,000. Default: 100. */
  readonly limit?: number | undefined;
  /** `nextKey` or `previousKey` of another page of the same listing. Overrides `offset`. */
  readonly key?: string | null | undefined;
  /** Number of rows to skip. Default: 0. */
  readonly offset?: number | undefined;
  /** False spares the server counting the whole listing. Default: true. */
  readonly countTotal?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The parts of a listing: a route, the shape of its rows, and what is the same on every page. */
export interface ListingParts<T> {
  readonly path: string;
  /** The answer's field with the rows. */
  readonly field: string;
  readonly shape: Shape<T>;
  /** Filters, order and direction. */
  readonly query: Readonly<Record<string, string>>;
  /** Returns the key for "after this row"; undefined to use the server's keys. */
  readonly keyAfter?: ((row: T) => string) | undefined;
}

/** @throws RangeError for a limit or an offset that the server would misread. */
export async function readPage<T>(
  indexer: Indexer,
  { path, field, shape, query: pinned, keyAfter }: ListingParts<T>,
  options: PageOptions & Pick<IndexerRequest, "repeat500"> = {},
): Promise<Page<T>> {
  const { limit = defaultLimit, key, offset, countTotal = true, signal, repeat500 } = options;
  const query = new URLSearchParams(pinned);
  query.set("pagination.limit", integer("limit", limit, 1, maxLimit));
  query.set("pagination.count_total", String(countTotal));
  if (key) query.set("pagination.key", key);
  else if (offset) query.set("pagination.offset", integer("offset", offset, 0, 2 ** 53 - 1));

  const { [field]: items = [], pagination } = checkAnswer<PageAnswer<T>>(
    await indexer.get(path, { query: String(query), signal, repeat500 }),
    {
      [field]: [shape],
      pagination: { next_key: isKey, previous_key: isKey, total: countTotal ? isTotal : isAnything },
    },
    indexer.endpoint + path,
  );
  const { next_key: named, previous_key: previousKey, total } = pagination;
  const last = items.at(-1);
  const nextKey = named && last ? (keyAfter?.(last) ?? named) : null;
  return {
    items,
    // A key of this same page leads nowhere.
    nextKey: key && (nextKey === key || named === key) ? null : nextKey,
    previousKey,
    total: countTotal && total !== "-1" ? Number(total) : null,
  };
}

type PageAnswer<T> = Readonly<Record<string, readonly T[]>> & {
  readonly pagination: {
    readonly next_key: string | null;
    readonly previous_key: string | null;
    readonly total: string;
  };
};

const isKey: Check = (value) => value === null || text(value);
const isTotal: Check = (value) => text(value) && /^(-1|\d{1,15})$/.test(String(value));
const isAnything: Check = () => true;

/** Returns the decimal digits of an option; the server silently replaces what it cannot parse with its default. */
function integer(name: string, value: number, least: number, most: number): string {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} ${value} is not an integer from ${least} to ${most}`);
  }
  return String(value);
}
