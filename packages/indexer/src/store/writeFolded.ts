import type { Kysely } from "kysely";
import type { HexAddress } from "../chain/nftChain.ts";
import { addressBytes, idsInChunks, inChunks, inChunksBy, searchName, tokenNumber } from "./database.ts";
import { databaseInvalid } from "./databaseErrors.ts";
import type { FoldedBlocks, HoldingChange } from "./foldBlocks.ts";
import { insertPendingUris, removePendingUris } from "./pendingUris.ts";
import type { TokenState } from "./store.ts";
import type { Tables } from "./tables.ts";
import { insertUriUpdates } from "./uriUpdates.ts";

/** The block up to which the index is after a write, and the number of its first row of `token_transactions`. */
export interface WritePosition {
  readonly height: number;
  readonly nextSequence: number;
}

/** Returns the change in the number of URIs to read. */
export async function writeFolded(
  database: Kysely<Tables>,
  folded: FoldedBlocks,
  { height: changedAt, nextSequence }: WritePosition,
): Promise<number> {
  await insertCollections(database, folded);
  await writeOriginNames(database, folded);
  await writeTokens(database, folded.written);
  await removeTokens(database, folded.removed);
  await writeHoldings(database, folded.holdingChanges, changedAt);
  const replacedUris = await removePendingUris(database, folded.changedUris);
  await insertPendingUris(database, folded.pendingUris);
  await insertUriUpdates(database, folded.uriUpdates);
  await writeOthers(database, folded);

  let sequence = nextSequence;
  for await (const chunk of inChunks(folded.transactions)) {
    const rows = chunk.map(({ collectionAddr, tokenId, number, txHash, height, timestamp }) => ({
      collection_addr: addressBytes(collectionAddr),
      token_id: tokenId,
      sequence: sequence++,
      number,
      tx_hash: txHash,
      height,
      timestamp,
    }));
    await database.insertInto("token_transactions").values(rows).execute();
  }
  return folded.pendingUris.length - replacedUris;
}

async function insertCollections(database: Kysely<Tables>, { newCollections }: FoldedBlocks): Promise<void> {
  for await (const chunk of inChunks(newCollections)) {
    const rows = chunk.map(({ collectionAddr, name, creator, height, timestamp }) => ({
      collection_addr: addressBytes(collectionAddr),
      name,
      origin_name: "",
      search_name: searchName(name),
      creator: addressBytes(creator),
      height,
      timestamp,
      token_count: 0,
      changed_at: 0,
      compared_at: 0,
      difference: 0,
    }));
    await database.insertInto("collections").values(rows).execute();
  }
}

async function writeOriginNames(database: Kysely<Tables>, { originNames }: FoldedBlocks): Promise<void> {
  for (const [name, { originName, height }] of originNames) {
    const named = database.updateTable("collections").set({ origin_name: originName }).where("name", "=", name);
    await named.where("height", "<=", height).execute();
  }
}

/** Adds contracts that are no collections yet, and removes those that have become some. */
async function writeOthers(database: Kysely<Tables>, { others, newCollections }: FoldedBlocks): Promise<void> {
  for await (const chunk of inChunks(others)) {
    const rows = chunk.map(({ address, height }) => ({ address: addressBytes(address), height }));
    await database
      .insertInto("other_contracts")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  for await (const chunk of inChunks(newCollections)) {
    const addresses = chunk.map(({ collectionAddr }) => addressBytes(collectionAddr));
    await database.deleteFrom("other_contracts").where("address", "in", addresses).execute();
  }
}

async function writeTokens(database: Kysely<Tables>, tokens: readonly TokenState[]): Promise<void> {
  for await (const chunk of inChunks([...tokens].sort(byOwner))) {
    const rows = chunk.map(({ collectionAddr, tokenId, owner, uri, objectAddr, height, timestamp }) => ({
      collection_addr: addressBytes(collectionAddr),
      token_id: tokenId,
      token_number: tokenNumber(tokenId),
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
  for await (const [address, ids] of idsInChunks(tokens)) {
    const ofCollection = database.deleteFrom("tokens").where("collection_addr", "=", address);
    await ofCollection.where("token_id", "in", ids).execute();
  }
}

/**
 * Writes how many tokens the owners hold in each collection and altogether, how many tokens the collections have, and
 * at which height these listings changed.
 */
async function writeHoldings(
  database: Kysely<Tables>,
  changes: readonly HoldingChange[],
  changedAt: number,
): Promise<void> {
  const collectionChanges = await changeHoldings(
    database,
    changes.filter(({ change }) => change !== 0),
  );
  const owners = sumBy(changes, ({ owner }) => owner);
  for await (const chunk of inChunks([...owners].map(([owner, change]) => ({ owner, change })).sort(byOwner))) {
    const rows = chunk.map(({ owner, change }) => ({
      owner: addressBytes(owner),
      token_count: change,
      collection_count: collectionChanges.get(owner) ?? 0,
      changed_at: changedAt,
    }));
    await database
      .insertInto("owners")
      .values(rows)
      .onConflict((conflict) =>
        conflict.column("owner").doUpdateSet((row) => ({
          token_count: row("owners.token_count", "+", row.ref("excluded.token_count")),
          collection_count: row("owners.collection_count", "+", row.ref("excluded.collection_count")),
          changed_at: row.ref("excluded.changed_at"),
        })),
      )
      .execute();
    const shrunk = rows.flatMap(({ owner, token_count: change }) => (change < 0 ? [owner] : []));
    if (shrunk.length === 0) continue;
    await database.deleteFrom("owners").where("owner", "in", shrunk).where("token_count", "=", 0).execute();
  }
  for (const [collectionAddr, change] of sumBy(changes, ({ collection }) => collection.collectionAddr)) {
    await database
      .updateTable("collections")
      .set((row) => ({ token_count: row("token_count", "+", change), changed_at: changedAt }))
      .where("collection_addr", "=", addressBytes(collectionAddr))
      .execute();
  }
}

/** Returns the changes in how many collections the owners hold tokens of. */
async function changeHoldings(
  database: Kysely<Tables>,
  changes: readonly HoldingChange[],
): Promise<ReadonlyMap<HexAddress, number>> {
  const collectionChanges = new Map<HexAddress, number>();
  for await (const chunk of inChunks([...changes].sort(byOwner))) {
    const rows = chunk.map(({ owner, collection, change }) => ({
      owner: addressBytes(owner),
      collection_height: collection.height,
      collection_addr: addressBytes(collection.collectionAddr),
      token_count: change,
    }));
    const written = await database
      .insertInto("holdings")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["owner", "collection_height", "collection_addr"]).doUpdateSet((row) => ({
          token_count: row("holdings.token_count", "+", row.ref("excluded.token_count")),
        })),
      )
      .returning(["owner", "collection_addr", "token_count"])
      .execute();
    const counts = new Map(written.map((row) => [holdingKey(row.owner, row.collection_addr), row.token_count]));
    for (const [index, { owner, change }] of chunk.entries()) {
      const row = rows[index];
      const count = row && counts.get(holdingKey(row.owner, row.collection_addr));
      if (count === undefined) throw databaseInvalid("the database did not return a written row");
      const more = count === 0 ? -1 : count === change ? 1 : 0;
      collectionChanges.set(owner, (collectionChanges.get(owner) ?? 0) + more);
    }
  }
  const shrunk = changes.filter(({ change }) => change < 0);
  for await (const [{ collectionAddr, height }, chunk] of inChunksBy(shrunk, ({ collection }) => collection)) {
    const owners = chunk.map(({ owner }) => addressBytes(owner));
    await database
      .deleteFrom("holdings")
      .where("owner", "in", owners)
      .where("collection_height", "=", height)
      .where("collection_addr", "=", addressBytes(collectionAddr))
      .where("token_count", "=", 0)
      .execute();
  }
  return collectionChanges;
}

function holdingKey(owner: Buffer, collection: Buffer): string {
  return `${owner.toString("hex")}/${collection.toString("hex")}`;
}

function sumBy(
  changes: readonly HoldingChange[],
  keyOf: (change: HoldingChange) => HexAddress,
): ReadonlyMap<HexAddress, number> {
  const sums = new Map<HexAddress, number>();
  for (const change of changes) sums.set(keyOf(change), (sums.get(keyOf(change)) ?? 0) + change.change);
  return sums;
}

/**
 * Groups rows by owner: most indexes start with the owner, and writing neighbors in an index takes half the time of
 * scattered rows. Sorting is stable, so each owner's rows keep their order.
 */
function byOwner(a: { readonly owner: HexAddress }, b: { readonly owner: HexAddress }): number {
  if (a.owner === b.owner) return 0;
  return a.owner < b.owner ? -1 : 1;
}
