import type { HexAddress } from "../chain/nftChain.ts";

/** Groups rows by collection, so that one statement can include many of them. */
export function byCollection<Row, Collection>(
  rows: readonly Row[],
  collectionOf: (row: Row) => Collection,
): ReadonlyMap<Collection, readonly Row[]> {
  const groups = new Map<Collection, Row[]>();
  for (const row of rows) {
    const group = groups.get(collectionOf(row));
    if (group) group.push(row);
    else groups.set(collectionOf(row), [row]);
  }
  return groups;
}

/**
 * Groups rows by owner: most indexes start with the owner, and writing neighbors in an index takes half the time of
 * scattered rows. Sorting is stable, so each owner's rows keep their order.
 */
export function byOwner(a: { readonly owner: HexAddress }, b: { readonly owner: HexAddress }): number {
  if (a.owner === b.owner) return 0;
  return a.owner < b.owner ? -1 : 1;
}
