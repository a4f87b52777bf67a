import type { Kysely } from "kysely";
import type { UrisChanged } from "../chain/nftChain.ts";
import { addressBytes, addressOfBytes, writeChain, type Database } from "./database.ts";
import { insertPendingUris, readPendingHeights, removePendingUris } from "./pendingUris.ts";
import { tokenKey } from "./store.ts";
import type { Tables } from "./tables.ts";

export type UriUpdate = Omit<UrisChanged, "kind"> & { readonly height: number };

type TokenIds = Pick<UriUpdate, "firstId" | "lastId">;

/** The smallest range that has two. */
export function joinTokenIds(a: TokenIds, b: TokenIds): TokenIds {
  return { firstId: a.firstId < b.firstId ? a.firstId : b.firstId, lastId: a.lastId > b.lastId ? a.lastId : b.lastId };
}

/** Adds collections whose URIs are to be read again; a range in progress begins again after its end. */
export async function insertUriUpdates(database: Kysely<Tables>, updates: readonly UriUpdate[]): Promise<void> {
  for (const { collectionAddr, height, ...ids } of updates) {
    const collection = addressBytes(collectionAddr);
    const known = await database
      .selectFrom("uri_updates")
      .select(["first_id", "last_id"])
      .where("collection_addr", "=", collection)
      .executeTakeFirst();
    const { firstId, lastId } = known === undefined ? ids : joinTokenIds(ids, idsOf(known));
    // It is then compared again, as after a change of its tokens.
    const changed = database.updateTable("collections").set({ changed_at: height });
    const counted = changed.where("collection_addr", "=", collection).returning("token_count");
    const { token_count: tokenCount } = (await counted.executeTakeFirst()) ?? { token_count: 0 };
    const asked = { first_id: String(firstId), last_id: String(lastId), token_count: tokenCount, height };
    await database
      .insertInto("uri_updates")
      .values({ collection_addr: collection, ...asked, pass_height: null, after_id: "" })
      .onConflict((conflict) => conflict.column("collection_addr").doUpdateSet(asked))
      .execute();
  }
}

/** Tokens that one step looks at. */
const tokensPerStep = 250;

/**
 * Adds the next tokens of the oldest collection whose URIs are to be read again to those to read, in one transaction: a
 * contract can ask for all of its tokens in each block, so they are not written with the block.
 *
 * @returns false if no URIs are to be read again.
 */
export function takeUriUpdate(database: Database): Promise<boolean> {
  return writeChain(database, async (transaction, chain) => {
    const update = await transaction
      .selectFrom("uri_updates")
      .selectAll()
      .orderBy("height")
      .orderBy("collection_addr")
      .limit(1)
      .executeTakeFirst();
    if (update === undefined) return false;
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
    const { firstId, lastId } = idsOf(update);
    const inRange = tokens.filter(({ token_id: id }) => BigInt(id) >= firstId && BigInt(id) <= lastId);
    const wanted = inRange.map(({ token_id: tokenId, height: changedAt }) => {
      // A token that was minted after the event has no URI before its mint.
      const asOf = Math.max(passHeight, changedAt);
      return { collectionAddr: addressOfBytes(collection), tokenId, height: asOf, urisInBlock: inRange.length };
    });
    const heights = await readPendingHeights(transaction, wanted);
    const pending = wanted.filter((token) => (heights.get(tokenKey(token)) ?? -1) < passHeight);
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

function idsOf({ first_id: first, last_id: last }: Pick<Tables["uri_updates"], "first_id" | "last_id">): TokenIds {
  return { firstId: BigInt(first), lastId: BigInt(last) };
}
