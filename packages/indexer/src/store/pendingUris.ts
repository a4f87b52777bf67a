import { sql, type Kysely, type RawBuilder } from "kysely";
import type { HexAddress, PendingUri, UriRead } from "../chain/nftChain.ts";
import { addressBytes, addressOfBytes, byCollection, inChunks, versionAfter, type Database } from "./database.ts";
import { databaseInvalid } from "./databaseErrors.ts";
import { storableUri } from "./storableText.ts";
import type { AppliedUris, LeftOut } from "./store.ts";
import type { Tables } from "./tables.ts";

export type TokenName = Pick<PendingUri, "collectionAddr" | "tokenId">;

/** Reads the URIs to read next: those of the oldest block first. */
export async function readPendingUris(
  { reader }: Database,
  limit: number,
  after?: PendingUri,
): Promise<readonly PendingUri[]> {
  let oldest = reader.selectFrom("pending_uris").selectAll();
  if (after !== undefined) {
    const place = sql`(${after.height}, ${addressBytes(after.collectionAddr)}, ${after.tokenId})`;
    oldest = oldest.where(sql<boolean>`(height, collection_addr, token_id) > ${place}`);
  }
  const page = oldest.orderBy("height").orderBy("collection_addr").orderBy("token_id").limit(limit);
  const rows = await reader
    .selectFrom(page.as("page"))
    .innerJoin("tokens", (join) =>
      join.onRef("tokens.collection_addr", "=", "page.collection_addr").onRef("tokens.token_id", "=", "page.token_id"),
    )
    .select(["page.collection_addr", "page.token_id", "page.height", "page.uris_in_block", "tokens.object_addr"])
    .orderBy("page.height")
    .orderBy("page.collection_addr")
    .orderBy("page.token_id")
    .execute();
  return rows.map((row) => {
    const {
      collection_addr: address,
      token_id: tokenId,
      height,
      uris_in_block: urisInBlock,
      object_addr: object,
    } = row;
    const objectAddr = object === null ? undefined : addressOfBytes(object);
    return { collectionAddr: addressOfBytes(address), tokenId, height, urisInBlock, objectAddr };
  });
}

/** Returns tokens of a collection that have no URI, and none to be read; to be read as of a block. */
export async function findWithoutUri(
  database: Kysely<Tables>,
  { collectionAddr, height }: Pick<PendingUri, "collectionAddr" | "height">,
  limit: number,
): Promise<readonly PendingUri[]> {
  const { rows } = await sql<Pick<Tables["tokens"], "token_id" | "object_addr">>`
    select token_id, object_addr from tokens
    where collection_addr = ${addressBytes(collectionAddr)} and uri = '' and not exists (
      select 1 from pending_uris where collection_addr = tokens.collection_addr and token_id = tokens.token_id
    ) order by token_id limit ${limit}`.execute(database);
  return rows.map(({ token_id: tokenId, object_addr: object }) => {
    const objectAddr = object === null ? undefined : addressOfBytes(object);
    return { collectionAddr, tokenId, height, urisInBlock: rows.length, objectAddr };
  });
}

/** Adds URIs to read; none of their tokens may have one. */
export async function insertPendingUris(database: Kysely<Tables>, pending: readonly PendingUri[]): Promise<void> {
  for await (const chunk of inChunks(pending)) {
    const rows = chunk.map(({ collectionAddr, tokenId, height, urisInBlock }) => {
      return { collection_addr: addressBytes(collectionAddr), token_id: tokenId, height, uris_in_block: urisInBlock };
    });
    await database.insertInto("pending_uris").values(rows).execute();
  }
}

/** Removes the URIs to read of tokens, if there are any. @returns how many there were. */
export async function removePendingUris(database: Kysely<Tables>, tokens: readonly TokenName[]): Promise<number> {
  let removed = 0;
  for (const [collectionAddr, ofCollection] of byCollection(tokens, (token) => token.collectionAddr)) {
    for await (const chunk of inChunks(ofCollection.map(({ tokenId }) => tokenId))) {
      const query = database.deleteFrom("pending_uris").where("collection_addr", "=", addressBytes(collectionAddr));
      removed += Number((await query.where("token_id", "in", chunk).executeTakeFirst()).numDeletedRows);
    }
  }
  return removed;
}

/**
 * Stores URIs, in one transaction, each unless a later block has changed the URI or burned the token since it was to be
 * read.
 */
export function applyUris(
  { engine, writer, claim }: Database,
  reads: readonly UriRead[],
  maxUriBytes: number,
): Promise<AppliedUris> {
  return writer.transaction().execute(async (transaction) => {
    await claim(transaction);
    const row = transaction.selectFrom("chain").select(["pending_uris", "left_out", "version"]);
    const chain = await (engine === "postgres" ? row.forUpdate() : row).executeTakeFirst();
    if (chain === undefined) throw databaseInvalid("the database has no chain anymore");
    const wanted = await findWanted(transaction, reads);
    const leftOut: LeftOut[] = [];
    for (const [collectionAddr, ofCollection] of byCollection(wanted, (read) => read.collectionAddr)) {
      for await (const chunk of inChunks(ofCollection)) {
        const uris = chunk.map(({ tokenId, height, uri, notRead }) => {
          const { text, lost } = storableUri(uri, maxUriBytes);
          const reason = notRead ?? lost;
          if (reason !== undefined) leftOut.push({ height, collectionAddr, reason });
          return { tokenId, text };
        });
        await updateUris(collectionAddr, uris).execute(transaction);
      }
    }
    const removed = await removePendingUris(transaction, wanted);
    const pendingUris = chain.pending_uris - removed;
    const counts = { pending_uris: pendingUris, left_out: chain.left_out + leftOut.length };
    const version = wanted.length > 0 ? versionAfter(chain.version) : chain.version;
    await transaction
      .updateTable("chain")
      .set({ ...counts, version })
      .execute();
    return { leftOut, pendingUris };
  });
}

/** The statement that stores URIs of tokens of one collection. */
export function updateUris(
  collectionAddr: HexAddress,
  uris: readonly { readonly tokenId: string; readonly text: string }[],
): RawBuilder<unknown> {
  const values = uris.map(({ tokenId, text }) => sql`(cast(${tokenId} as text), cast(${text} as text))`);
  // Without the list of IDs, SQLite looks at each token of the collection.
  const ids = uris.map(({ tokenId }) => tokenId);
  return sql`
    update tokens set uri = reads.column2 from (values ${sql.join(values)}) as reads
    where tokens.collection_addr = ${addressBytes(collectionAddr)}
      and tokens.token_id in (${sql.join(ids)}) and tokens.token_id = reads.column1
  `;
}

/** The reads that are still to be stored. */
async function findWanted(database: Kysely<Tables>, reads: readonly UriRead[]): Promise<readonly UriRead[]> {
  const wanted: UriRead[] = [];
  for (const [collectionAddr, ofCollection] of byCollection(reads, (read) => read.collectionAddr)) {
    const ids = ofCollection.map(({ tokenId }) => tokenId);
    const heights = await readPendingHeights(database, collectionAddr, ids);
    wanted.push(...ofCollection.filter(({ tokenId, height }) => heights.get(tokenId) === height));
  }
  return wanted;
}

/** The blocks as of which the URIs of tokens are to be read, by their IDs; of those that are to be read. */
export async function readPendingHeights(
  database: Kysely<Tables>,
  collectionAddr: HexAddress,
  tokenIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const heights = new Map<string, number>();
  const pending = database.selectFrom("pending_uris").select(["token_id", "height"]);
  const ofCollection = pending.where("collection_addr", "=", addressBytes(collectionAddr));
  for await (const chunk of inChunks(tokenIds)) {
    const rows = await ofCollection.where("token_id", "in", chunk).execute();
    for (const { token_id: tokenId, height } of rows) heights.set(tokenId, height);
  }
  return heights;
}
