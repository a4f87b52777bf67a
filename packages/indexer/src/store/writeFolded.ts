import type { Kysely } from "kysely";
import type { TokenState } from "./blockState.ts";
import { inChunks, type Tables } from "./database.ts";
import type { FoldedBlocks } from "./foldBlocks.ts";
import { byCollection, byOwner } from "./groupRows.ts";
import { insertPendingUris, removePendingUris } from "./pendingUris.ts";
import { addressBytes, searchName } from "./storedRows.ts";
import { writeHoldings } from "./writeHoldings.ts";

/** The block up to which the index is after a write, and the number of its first row of `token_transactions`. */
export interface WritePosition {
  readonly height: number;
  readonly nextSequence: number;
}

/** Writes the net result of blocks. @returns the change in the number of URIs to read. */
export async function writeFolded(
  database: Kysely<Tables>,
  folded: FoldedBlocks,
  { height: changedAt, nextSequence }: WritePosition,
): Promise<number> {
  await insertCollections(database, folded);
  await writeTokens(database, folded.written);
  await removeTokens(database, folded.removed);
  await writeHoldings(database, folded.holdingChanges, changedAt);
  const replacedUris = await removePendingUris(database, folded.changedUris);
  await insertPendingUris(database, folded.pendingUris);

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
      search_name: searchName(name),
      creator: addressBytes(creator),
      height,
      timestamp,
      token_count: 0,
      changed_at: 0,
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
