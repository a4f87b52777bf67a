import type { Kysely } from "kysely";
import type { HexAddress, NftBlock } from "../chain/nftChain.ts";
import type { CollectionState, StoredState, TokenState } from "./blockState.ts";
import { inChunks, type Tables } from "./database.ts";
import { tokenIdFault } from "./storableText.ts";
import { addressBytes, collectionOf, tokenOf } from "./storedRows.ts";

/** Reads the stored tokens and collections that blocks refer to. */
export async function readStoredState(database: Kysely<Tables>, blocks: readonly NftBlock[]): Promise<StoredState> {
  const { ids, objects, collections: announced } = namedIn(blocks);
  const tokens = new Map<string, TokenState>();
  const keep = (rows: readonly Tables["tokens"][]) => {
    for (const row of rows) tokens.set(`${row.collection_addr.toString("hex")}/${row.token_id}`, tokenOf(row));
  };
  for (const [collectionAddr, tokenIds] of ids) {
    const ofCollection = database
      .selectFrom("tokens")
      .selectAll()
      .where("collection_addr", "=", addressBytes(collectionAddr));
    for await (const chunk of inChunks([...tokenIds]))
      keep(await ofCollection.where("token_id", "in", chunk).execute());
  }
  for await (const chunk of inChunks([...objects].map(addressBytes))) {
    keep(await database.selectFrom("tokens").selectAll().where("object_addr", "in", chunk).execute());
  }

  const addresses = new Set([
    ...ids.keys(),
    ...announced,
    ...[...tokens.values()].map((token) => token.collectionAddr),
  ]);
  const collections: CollectionState[] = [];
  for await (const chunk of inChunks([...addresses].map(addressBytes))) {
    const rows = await database.selectFrom("collections").selectAll().where("collection_addr", "in", chunk).execute();
    collections.push(...rows.map(collectionOf));
  }
  return { tokens: [...tokens.values()], collections };
}

interface Named {
  readonly ids: ReadonlyMap<HexAddress, ReadonlySet<string>>;
  readonly objects: ReadonlySet<HexAddress>;
  readonly collections: ReadonlySet<HexAddress>;
}

function namedIn(blocks: readonly NftBlock[]): Named {
  const ids = new Map<HexAddress, Set<string>>();
  const objects = new Set<HexAddress>();
  const collections = new Set<HexAddress>();
  for (const { changes } of blocks) {
    for (const change of changes) {
      if (change.kind === "collection") {
        collections.add(change.collectionAddr);
        continue;
      }
      const reference = change.kind === "minted" ? change : change.token;
      if (!("tokenId" in reference)) {
        objects.add(reference.objectAddr);
      } else if (tokenIdFault(reference.tokenId) === undefined) {
        const ofCollection = ids.get(reference.collectionAddr) ?? new Set();
        ids.set(reference.collectionAddr, ofCollection.add(reference.tokenId));
      }
    }
  }
  return { ids, objects, collections };
}
