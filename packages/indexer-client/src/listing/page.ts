import { checkAnswer, text, type Check, type Shape } from "../checkAnswer.ts";
import type { Indexer, IndexerRequest } from "../openIndexer.ts";

/** The largest limit that the server takes; it answers 400 above. */
export const maxLimit = 1000;

/** The limit that the server takes where none is named. */
const defaultLimit = 100;

/** One page of a listing. */
export interface Page<T> {
  readonly items: readonly T[];
  /** What to name as `key` for the page after this one; null at the end. A short page is not the end, a null key is. */
  readonly nextKey: string | null;
  /** What to name as `key` for the page before this one; null where the server names none. */
  readonly previousKey: string | null;
  /** How many rows the whole listing has; null when not counted, or when the server gave up counting. */
  readonly total: number | null;
}

/** Which page of a listing. */
export interface PageOptions {
  /** Largest number of rows, from 1 to 1,000; 100 when absent. */
  readonly limit?: number | undefined;
  /** `nextKey` or `previousKey` of another page of the same listing. Beats `offset`. */
  readonly key?: string | null | undefined;
  /** How many rows to leave out at the start. */
  readonly offset?: number | undefined;
  /** Whether the server counts the whole listing too, which takes it longer; false when absent. */
  readonly countTotal?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a listing is made of: a route, what its rows look like, and what stays the same on every page. */
export interface ListingParts<T> {
  readonly path: string;
  /** The field of an answer that has the rows. */
  readonly field: string;
  readonly shape: Shape<T>;
  /** Filters, order and direction. */
  readonly query: Readonly<Record<string, string>>;
  /** The key that stands for "after this row", for a listing in which rows have one; undefined to take the server's. */
  readonly keyAfter?: ((row: T) => string) | undefined;
}

/**
 * Reads one page.
 *
 * @throws RangeError for a limit or an offset that the server would take for another; IndexerRequestError; the signal's
 * reason when aborted.
 */
export async function readPage<T>(
  indexer: Indexer,
  { path, field, shape, query: pinned, keyAfter }: ListingParts<T>,
  options: PageOptions & Pick<IndexerRequest, "repeat500" | "onHeaders"> = {},
): Promise<Page<T>> {
  const { limit = defaultLimit, key, offset, countTotal = false, signal, repeat500, onHeaders } = options;
  const query = new URLSearchParams(pinned);
  query.set("pagination.limit", integer("limit", limit, 1, maxLimit));
  query.set("pagination.count_total", String(countTotal));
  if (key) query.set("pagination.key", key);
  else if (offset) query.set("pagination.offset", integer("offset", offset, 0, 2 ** 53 - 1));

  const { [field]: items = [], pagination } = checkAnswer<PageAnswer<T>>(
    await indexer.get(path, { query: String(query), signal, repeat500, onHeaders }),
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
    // A key that names this page again leads nowhere.
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

/** The decimal digits of an option; the server takes what it cannot parse for its default, in silence. */
function integer(name: string, value: number, least: number, most: number): string {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} ${value} is no integer from ${least} to ${most}`);
  }
  return String(value);
}
