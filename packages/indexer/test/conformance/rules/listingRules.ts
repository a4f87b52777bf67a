import type { NftCollection, NftToken } from "@vipscore/indexer-client";
import type { AllowedPage, Next, Row, Tie } from "./answer.ts";
import type { PageRequest } from "./pageRules.ts";

/** The primary sort field of tokens. */
export type TokenOrder = "height" | "token_id";

/** A row's position, with its token id as bytes. */
interface Place {
  readonly height: number;
  readonly id: Buffer;
}

type Sorted = Place & { readonly row: Row };

/**
 * Returns the page of a listing of tokens.
 *
 * @param orderBy - The other field breaks ties; token ids as text, by their UTF-8 bytes.
 * @param isByIdAlone - Whether the page after a row begins after its token id, whatever its height: another reading of
 * "the rows after this one" where a collection has each id once.
 */
export function tokensPage(
  tokens: readonly NftToken[],
  request: PageRequest,
  orderBy: TokenOrder,
  isByIdAlone: boolean,
): AllowedPage {
  const byId: Compare = (a, b) => Buffer.compare(a.id, b.id);
  const byHeight: Compare = (a, b) => a.height - b.height;
  const compare: Compare = (a, b) =>
    orderBy === "token_id" ? byId(a, b) || byHeight(a, b) : byHeight(a, b) || byId(a, b);
  const rows = tokens.map((row) => ({ height: row.height, id: Buffer.from(row.nft.token_id), row }));
  return page("tokens", rows, request, compare, isByIdAlone ? byId : compare);
}

/** Returns the page of a listing of collections: by height, in any order among ties. */
export function collectionsPage(collections: readonly NftCollection[], request: PageRequest): AllowedPage {
  const compare: Compare = (a, b) => a.height - b.height;
  const rows = collections.map((row) => ({ height: row.height, id: Buffer.of(), row }));
  return page("collections", rows, request, compare, compare);
}

type Compare = (a: Place, b: Place) => number;

function page(
  field: AllowedPage["field"],
  rows: readonly Sorted[],
  { limit, place, count, reverse }: PageRequest,
  ascending: Compare,
  seek: Compare,
): AllowedPage {
  const sign = reverse ? -1 : 1;
  const sorted = rows.toSorted((a, b) => sign * ascending(a, b));
  const total = count ? rows.length : null;
  if ("after" in place) {
    const after = { height: place.after.height, id: Buffer.from(place.after.tokenId) };
    const rest = sorted.filter((row) => sign * seek(row, after) > 0);
    const ties = takeTies(rest, 0, Number(limit), ascending);
    const hasMore = rest.length > Number(limit);
    return { kind: "page", field, ties, next: hasMore ? "afterLastRow" : null, previous: null, total };
  }
  const { offset } = place;
  const start = offset > rows.length ? rows.length : Number(offset);
  const ties = takeTies(sorted, start, Number(limit), ascending);
  const next: Next = sorted.length - start > Number(limit) ? { offset: offset + limit } : null;
  const previous = offset === 0n ? null : offset > limit ? offset - limit : 0n;
  return { kind: "page", field, ties, next, previous, total };
}

/** Returns at most `limit` rows from `start` on, with the groups that tie and all their members. */
function takeTies(sorted: readonly Sorted[], start: number, limit: number, compare: Compare): readonly Tie[] {
  const end = Math.min(start + limit, sorted.length);
  const ties: Tie[] = [];
  for (let at = start; at < end;) {
    const first = sorted[at];
    if (first === undefined) break;
    let from = at;
    for (let before = sorted[from - 1]; before && compare(before, first) === 0; before = sorted[from - 1]) from -= 1;
    let to = at;
    for (let after = sorted[to]; after && compare(after, first) === 0; after = sorted[to]) to += 1;
    ties.push({ rows: sorted.slice(from, to).map(({ row }) => row), take: Math.min(to, end) - at });
    at = to;
  }
  return ties;
}
