import { sql, type Kysely } from "kysely";
import type { HexAddress, NftBlock } from "../chain/nftChain.ts";
import {
  addressBytes,
  collectionOf,
  idsInChunks,
  inChunks,
  tokenOf,
  versionAfter,
  writeChain,
  type Database,
  type TokenName,
} from "./database.ts";
import { databaseInvalid } from "./databaseErrors.ts";
import { foldBlocks } from "./foldBlocks.ts";
import { tokenIdFault } from "./storableText.ts";
import { tokenKey, type CollectionState, type LeftOut, type StoredState, type TokenState } from "./store.ts";
import type { Tables } from "./tables.ts";
import { writeFolded } from "./writeFolded.ts";

/** Applies blocks and moves the indexed height, in one transaction. */
export function applyBlocks(
  database: Database,
  blocks: readonly NftBlock[],
  progress: { readonly height: number; readonly blockHash: string },
  maxUriBytes: number,
): Promise<readonly LeftOut[]> {
  return writeChain(database, async (transaction, chain) => {
    let height = chain.height;
    for (const block of blocks) {
      if (block.height <= height) throw databaseInvalid(`block ${block.height} is not above height ${height}`);
      height = block.height;
    }
    if (progress.height < height) throw new Error(`height ${progress.height} is below block ${height}`);

    const folded = foldBlocks(blocks, await readStoredState(transaction, blocks), maxUriBytes);
    const position = { height: progress.height, nextSequence: chain.next_sequence };
    const morePendingUris = await writeFolded(transaction, folded, position);
    await transaction
      .updateTable("chain")
      .set({
        height: progress.height,
        block_hash: progress.blockHash,
        next_sequence: chain.next_sequence + folded.transactions.length,
        left_out: chain.left_out + folded.leftOut.length,
        pending_uris: chain.pending_uris + morePendingUris,
        collection_count: chain.collection_count + folded.newCollections.length,
        version: blocks.some(({ changes }) => changes.length > 0) ? versionAfter(chain.version) : chain.version,
      })
      .execute();
    return folded.leftOut;
  });
}

async function readStoredState(database: Kysely<Tables>, blocks: readonly NftBlock[]): Promise<StoredState> {
  const { names, objects, collections: announced } = namedIn(blocks);
  const tokens = new Map<string, TokenState>();
  const keep = (rows: readonly Tables["tokens"][]) => {
    for (const token of rows.map(tokenOf)) tokens.set(tokenKey(token), token);
  };
  for await (const [address, ids] of idsInChunks([...names.values()])) {
    const ofCollection = database.selectFrom("tokens").selectAll().where("collection_addr", "=", address);
    keep(await ofCollection.where("token_id", "in", ids).execute());
  }
  for await (const chunk of inChunks([...objects].map(addressBytes))) {
    keep(await database.selectFrom("tokens").selectAll().where("object_addr", "in", chunk).execute());
  }

  const all = [...new Map([...names, ...tokens]).values()];
  const addresses = new Set([...all.map((token) => token.collectionAddr), ...announced]);
  const collections: CollectionState[] = [];
  for await (const chunk of inChunks([...addresses].map(addressBytes))) {
    const rows = await database.selectFrom("collections").selectAll().where("collection_addr", "in", chunk).execute();
    collections.push(...rows.map(collectionOf));
  }
  return { tokens: [...tokens.values()], collections, transactionCounts: await readTransactionCounts(database, all) };
}

/** Reads how many transactions of tokens are stored: the number of each token's last one. */
async function readTransactionCounts(
  database: Kysely<Tables>,
  tokens: readonly TokenName[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const [address, ids, collectionAddr] of idsInChunks(tokens)) {
    const wanted = sql.join(ids.map((tokenId) => sql`(cast(${tokenId} as text))`));
    // A seek for each token, however many transactions it has. Both databases name the column of such a list column1.
    const { rows } = await sql<{ readonly token_id: string; readonly number: number | null }>`
      select wanted.column1 as token_id, (
        select number from token_transactions
        where collection_addr = ${address} and token_id = wanted.column1
        order by sequence desc limit 1
      ) as number
      from (values ${wanted}) as wanted`.execute(database);
    for (const { token_id: tokenId, number } of rows) {
      if (number !== null) counts.set(tokenKey({ collectionAddr, tokenId }), number);
    }
  }
  return counts;
}

interface Named {
  /** By {@link tokenKey}. */
  readonly names: ReadonlyMap<string, TokenName>;
  readonly objects: ReadonlySet<HexAddress>;
  readonly collections: ReadonlySet<HexAddress>;
}

function namedIn(blocks: readonly NftBlock[]): Named {
  const names = new Map<string, TokenName>();
  const objects = new Set<HexAddress>();
  const collections = new Set<HexAddress>();
  for (const change of blocks.flatMap(({ changes }) => changes)) {
    if (change.kind === "collection") collections.add(change.collectionAddr);
    if (change.kind === "collection" || change.kind === "urisChanged" || change.kind === "originNamed") continue;
    const reference = change.kind === "minted" ? change : change.token;
    if (!("tokenId" in reference)) objects.add(reference.objectAddr);
    else if (tokenIdFault(reference.tokenId) === undefined) names.set(tokenKey(reference), reference);
  }
  return { names, objects, collections };
}
