import type { Kysely } from "kysely";
import type { HexAddress } from "../chain/nftChain.ts";
import type { TokenState } from "./blockState.ts";
import { inChunks, type Tables } from "./database.ts";
import type { FoldedBlocks, HoldingChange } from "./foldBlocks.ts";
import { addressBytes, searchName } from "./storedRows.ts";

/** Writes the net result of blocks. Transactions are numbered from `nextSequence`. */
export async function writeFolded(database: Kysely<Tables>, folded: FoldedBlocks, nextSequence: number): Promise<void> {
  await insertCollections(database, folded);
  await writeTokens(database, folded.written);
  await removeTokens(database, folded.removed);
  await changeHoldings(database, folded.holdingChanges);
  await changeCounts(database, folded.holdingChanges);

  let sequence = nextSequence;
  for await (const chunk of inChunks(folded.transactions)) {
    const rows = chunk.map(({ collectionAddr, tokenId, txHash, height, timestamp }) => ({
      collection_addr: addressBytes(collectionAddr),
      token_id: tokenId,
      sequence: sequence++,
      tx_hash: txHash,
      height,
      timestamp,
    }));
    await database.insertInto("token_transactions").values(rows).execute();
  }
}

async function insertCollections(database: Kysely<Tables>, { newCollections }: FoldedBlocks): Promise<void> {
  for await (const chunk of inChunks(newCollections)) {
    const rows = chunk.map(({ collectionAddr, name, creator, height, timestamp }) => ({
      collection_addr: addressBytes(collectionAddr),
      name,
      search_name: searchName(name),
      creator: addressBytes(creator),
      height,
      timestamp,
      token_count: 0,
    }));
    await database.insertInto("collections").values(rows).execute();
  }
}

async function writeTokens(database: Kysely<Tables>, tokens: readonly TokenState[]): Promise<void> {
  for await (const chunk of inChunks([...tokens].sort(byOwner))) {
    const rows = chunk.map(({ collectionAddr, tokenId, owner, uri, objectAddr, height, timestamp }) => ({
      collection_addr: addressBytes(collectionAddr),
      token_id: tokenId,
      owner: addressBytes(owner),
      uri,
      object_addr: objectAddr ? addressBytes(objectAddr) : null,
      height,
      timestamp,
    }));
    await database
      .insertInto("tokens")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["collection_addr", "token_id"]).doUpdateSet((row) => ({
          owner: row.ref("excluded.owner"),
          uri: row.ref("excluded.uri"),
          object_addr: row.ref("excluded.object_addr"),
          height: row.ref("excluded.height"),
          timestamp: row.ref("excluded.timestamp"),
        })),
      )
      .execute();
  }
}

async function removeTokens(database: Kysely<Tables>, tokens: readonly TokenState[]): Promise<void> {
  for (const [collectionAddr, ofCollection] of byCollection(tokens, (token) => token.collectionAddr)) {
    for await (const chunk of inChunks(ofCollection.map(({ tokenId }) => tokenId))) {
      await database
        .deleteFrom("tokens")
        .where("collection_addr", "=", addressBytes(collectionAddr))
        .where("token_id", "in", chunk)
        .execute();
    }
  }
}

async function changeHoldings(database: Kysely<Tables>, changes: readonly HoldingChange[]): Promise<void> {
  for await (const chunk of inChunks([...changes].sort(byOwner))) {
    const rows = chunk.map(({ owner, collection, change }) => ({
      owner: addressBytes(owner),
      collection_height: collection.height,
      collection_addr: addressBytes(collection.collectionAddr),
      token_count: change,
    }));
    await database
      .insertInto("holdings")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["owner", "collection_height", "collection_addr"]).doUpdateSet((row) => ({
          token_count: row("holdings.token_count", "+", row.ref("excluded.token_count")),
        })),
      )
      .execute();
  }
  const shrunk = changes.filter(({ change }) => change < 0);
  for (const [{ collectionAddr, height }, ofCollection] of byCollection(shrunk, ({ collection }) => collection)) {
    for await (const chunk of inChunks(ofCollection)) {
      await database
        .deleteFrom("holdings")
        .where(
          "owner",
          "in",
          chunk.map(({ owner }) => addressBytes(owner)),
        )
        .where("collection_height", "=", height)
        .where("collection_addr", "=", addressBytes(collectionAddr))
        .where("token_count", "=", 0)
        .execute();
    }
  }
}

async function changeCounts(database: Kysely<Tables>, changes: readonly HoldingChange[]): Promise<void> {
  const counts = new Map<HexAddress, number>();
  for (const { collection, change } of changes) {
    counts.set(collection.collectionAddr, (counts.get(collection.collectionAddr) ?? 0) + change);
  }
  for (const [collectionAddr, count] of counts) {
    await database
      .updateTable("collections")
      .set((row) => ({ token_count: row("token_count", "+", count) }))
      .where("collection_addr", "=", addressBytes(collectionAddr))
      .execute();
  }
}

/** Groups rows by collection, so that one statement can include many of them. */
function byCollection<Row, Collection>(
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
function byOwner(a: { readonly owner: HexAddress }, b: { readonly owner: HexAddress }): number {
  if (a.owner === b.owner) return 0;
  return a.owner < b.owner ? -1 : 1;
}
