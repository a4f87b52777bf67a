import { sql, type Kysely, type RawBuilder } from "kysely";
import type { HexAddress, PendingUri, UriRead } from "../chain/nftChain.ts";
import {
  addressBytes,
  addressOfBytes,
  idsInChunks,
  inChunks,
  inChunksBy,
  versionAfter,
  writeChain,
  type Database,
  type TokenName,
} from "./database.ts";
import { inOrder, isAfter } from "./pageOf.ts";
import { storableUri } from "./storableText.ts";
import { tokenKey, type AppliedUris, type LeftOut } from "./store.ts";
import type { Tables } from "./tables.ts";

/** Reads the URIs to read next: those of the oldest block first. */
export async function readPendingUris(
  { reader }: Database,
  limit: number,
  after?: PendingUri,
): Promise<readonly PendingUri[]> {
  let oldest = reader.selectFrom("pending_uris").selectAll().limit(limit);
  if (after !== undefined) {
    const { height, collectionAddr, tokenId } = after;
    const values = [
      ["height", height],
      ["collection_addr", addressBytes(collectionAddr)],
      ["token_id", tokenId],
    ] as const;
    oldest = oldest.where(isAfter(values, false));
  }
  const page = inOrder(oldest, ["height", "collection_addr", "token_id"], false);
  const query = reader
    .selectFrom(page.as("page"))
    .innerJoin("tokens", (join) =>
      join.onRef("tokens.collection_addr", "=", "page.collection_addr").onRef("tokens.token_id", "=", "page.token_id"),
    )
    .selectAll("page")
    .select("tokens.object_addr");
  const rows = await inOrder(query, ["page.height", "page.collection_addr", "page.token_id"], false).execute();
  return rows.map(pendingOf);
}

function pendingOf(row: Tables["pending_uris"] & Pick<Tables["tokens"], "object_addr">): PendingUri {
  const { collection_addr: address, token_id: tokenId, height, uris_in_block: urisInBlock, object_addr: object } = row;
  const objectAddr = object === null ? undefined : addressOfBytes(object);
  return { collectionAddr: addressOfBytes(address), tokenId, height, urisInBlock, objectAddr };
}

/** Returns tokens of a collection that have no URI, and none to be read; to be read as of a block. */
export async function findWithoutUri(
  database: Kysely<Tables>,
  { collectionAddr, height }: Pick<PendingUri, "collectionAddr" | "height">,
  limit: number,
): Promise<readonly PendingUri[]> {
  const { rows } = await sql<Pick<Tables["tokens"], "collection_addr" | "token_id" | "object_addr">>`
    select collection_addr, token_id, object_addr from tokens
    where collection_addr = ${addressBytes(collectionAddr)} and uri = '' and not exists (
      select 1 from pending_uris where collection_addr = tokens.collection_addr and token_id = tokens.token_id
    ) order by token_id limit ${limit}`.execute(database);
  return rows.map((row) => pendingOf({ ...row, height, uris_in_block: rows.length }));
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
  for await (const [address, ids] of idsInChunks(tokens)) {
    const query = database.deleteFrom("pending_uris").where("collection_addr", "=", address);
    removed += Number((await query.where("token_id", "in", ids).executeTakeFirst()).numDeletedRows);
  }
  return removed;
}

/**
 * Stores URIs, in one transaction, each unless a later block has changed the URI or burned the token since it was to be
 * read.
 */
export function applyUris(database: Database, reads: readonly UriRead[], maxUriBytes: number): Promise<AppliedUris> {
  return writeChain(database, async (transaction, chain) => {
    const heights = await readPendingHeights(transaction, reads);
    const wanted = reads.filter((read) => heights.get(tokenKey(read)) === read.height);
    const leftOut: LeftOut[] = [];
    for await (const [collectionAddr, chunk] of inChunksBy(wanted, (read) => read.collectionAddr)) {
      const uris = chunk.map(({ tokenId, height, uri, notRead }) => {
        const { text, lost } = storableUri(uri, maxUriBytes);
        const reason = notRead ?? lost;
        if (reason !== undefined) leftOut.push({ height, collectionAddr, reason });
        return { tokenId, text };
      });
      await updateUris(collectionAddr, uris).execute(transaction);
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

/** The blocks as of which the URIs of tokens are to be read, by {@link tokenKey}; of those that are to be read. */
export async function readPendingHeights(
  database: Kysely<Tables>,
  tokens: readonly TokenName[],
): Promise<ReadonlyMap<string, number>> {
  const heights = new Map<string, number>();
  const pending = database.selectFrom("pending_uris").select(["token_id", "height"]);
  for await (const [address, ids, collectionAddr] of idsInChunks(tokens)) {
    const ofCollection = pending.where("collection_addr", "=", address);
    const rows = await ofCollection.where("token_id", "in", ids).execute();
    for (const { token_id: tokenId, height } of rows) heights.set(tokenKey({ collectionAddr, tokenId }), height);
  }
  return heights;
}
