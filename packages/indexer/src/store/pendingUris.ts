import { sql, type Kysely, type RawBuilder } from "kysely";
import type { HexAddress, PendingUri, UriRead, UrisChanged } from "../chain/nftChain.ts";
import { addressBytes, addressOfBytes, byCollection, inChunks, type Database, type Tables } from "./database.ts";
import { storableUri } from "./storableText.ts";
import type { AppliedUris, LeftOut } from "./store.ts";

/** URIs of a collection to read again. */
export type UriUpdate = Omit<UrisChanged, "kind"> & { readonly height: number };

export type TokenName = Pick<PendingUri, "collectionAddr" | "tokenId">;

/** Reads the URIs to read next: those of the oldest block first. */
export async function readPendingUris({ reader }: Database, limit: number): Promise<readonly PendingUri[]> {
  const oldest = reader.selectFrom("pending_uris").selectAll();
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
    const row = transaction.selectFrom("chain").select(["pending_uris", "left_out"]);
    const chain = await (engine === "postgres" ? row.forUpdate() : row).executeTakeFirstOrThrow();
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
    await transaction.updateTable("chain").set(counts).execute();
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
    for await (const chunk of inChunks(ofCollection)) {
      const ids = chunk.map(({ tokenId }) => tokenId);
      const query = database.selectFrom("pending_uris").select(["token_id", "height"]);
      const rows = await query
        .where("collection_addr", "=", addressBytes(collectionAddr))
        .where("token_id", "in", ids)
        .execute();
      const heights = new Map(rows.map((row) => [row.token_id, row.height]));
      wanted.push(...chunk.filter(({ tokenId, height }) => heights.get(tokenId) === height));
    }
  }
  return wanted;
}

/** Adds collections whose URIs are to be read again; a range in progress begins again after its end. */
export async function insertUriUpdates(database: Kysely<Tables>, updates: readonly UriUpdate[]): Promise<void> {
  for (const { collectionAddr, firstId, lastId, height } of updates) {
    const collection = addressBytes(collectionAddr);
    const known = await database
      .selectFrom("uri_updates")
      .select(["first_id", "last_id"])
      .where("collection_addr", "=", collection)
      .executeTakeFirst();
    const [first, last] = [BigInt(known?.first_id ?? firstId), BigInt(known?.last_id ?? lastId)];
    const tokens = database.selectFrom("collections").select("token_count").where("collection_addr", "=", collection);
    const { token_count: tokenCount } = (await tokens.executeTakeFirst()) ?? { token_count: 0 };
    const range = {
      first_id: String(first < firstId ? first : firstId),
      last_id: String(last > lastId ? last : lastId),
      token_count: tokenCount,
    };
    await database
      .insertInto("uri_updates")
      .values({ collection_addr: collection, ...range, height, pass_height: null, after_id: "" })
      .onConflict((conflict) => conflict.column("collection_addr").doUpdateSet({ ...range, height }))
      .execute();
  }
}

/** Tokens that one step looks at. */
const tokensPerStep = 250;

/**
 * Adds the next tokens of the oldest collection whose URIs are to be read again to those to read, in one transaction: a
 * contract can ask for all of its tokens in each block, so they are not written with the block.
 *
 * @returns false if there is no such collection.
 */
export function takeUriUpdate({ writer, engine, claim }: Database): Promise<boolean> {
  return writer.transaction().execute(async (transaction) => {
    await claim(transaction);
    const row = transaction.selectFrom("chain").select("pending_uris");
    const chain = await (engine === "postgres" ? row.forUpdate() : row).executeTakeFirst();
    const oldest = transaction
      .selectFrom("uri_updates")
      .selectAll()
      .orderBy("height")
      .orderBy("collection_addr")
      .limit(1);
    const update = await oldest.executeTakeFirst();
    if (chain === undefined || update === undefined) return false;
    const { collection_addr: collection, height } = update;
    const passHeight = update.pass_height ?? height;
    const tokens = await transaction
      .selectFrom("tokens")
      .select(["token_id", "height"])
      .where("collection_addr", "=", collection)
      .where("token_id", ">", update.pass_height === null ? "" : update.after_id)
      .orderBy("token_id")
      .limit(tokensPerStep)
      .execute();
    const [first, last] = [BigInt(update.first_id), BigInt(update.last_id)];
    const wanted = tokens.filter(({ token_id: id }) => BigInt(id) >= first && BigInt(id) <= last);
    const ids = wanted.map((token) => token.token_id);
    const later = transaction.selectFrom("pending_uris").select("token_id").where("collection_addr", "=", collection);
    const isLater = new Set(
      ids.length === 0
        ? []
        : (await later.where("token_id", "in", ids).where("height", ">=", passHeight).execute()).map(
            (it) => it.token_id,
          ),
    );
    const collectionAddr = addressOfBytes(collection);
    const pending = wanted.flatMap(({ token_id: tokenId, height: changedAt }): readonly PendingUri[] => {
      // A token that was minted after the event has no URI before its mint.
      const readAt = Math.max(passHeight, changedAt);
      return isLater.has(tokenId) ? [] : [{ collectionAddr, tokenId, height: readAt, urisInBlock: wanted.length }];
    });
    const removed = await removePendingUris(transaction, pending);
    await insertPendingUris(transaction, pending);
    await transaction
      .updateTable("chain")
      .set({ pending_uris: chain.pending_uris + pending.length - removed })
      .execute();
    const end = tokens.at(-1);
    const isEnded = end === undefined || tokens.length < tokensPerStep;
    if (isEnded && height === passHeight) {
      await transaction.deleteFrom("uri_updates").where("collection_addr", "=", collection).execute();
    } else {
      const place = isEnded ? { pass_height: null, after_id: "" } : { pass_height: passHeight, after_id: end.token_id };
      await transaction.updateTable("uri_updates").set(place).where("collection_addr", "=", collection).execute();
    }
    return true;
  });
}
