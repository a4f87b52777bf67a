import type { Kysely } from "kysely";
import type { HexAddress } from "../chain/nftChain.ts";
import { inChunks, type Tables } from "./database.ts";
import type { HoldingChange } from "./foldBlocks.ts";
import { byCollection, byOwner } from "./groupRows.ts";
import { addressBytes } from "./storedRows.ts";

/**
 * Writes how many tokens the owners hold in each collection and altogether, how many tokens the collections have, and
 * at which height these listings changed.
 */
export async function writeHoldings(
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
      if (count === undefined) throw new Error("the database did not return a written row");
      const more = count === 0 ? -1 : count === change ? 1 : 0;
      collectionChanges.set(owner, (collectionChanges.get(owner) ?? 0) + more);
    }
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
