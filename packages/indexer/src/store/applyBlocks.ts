import type { NftBlock } from "../chain/nftChain.ts";
import type { Database } from "./database.ts";
import { foldBlocks } from "./foldBlocks.ts";
import type { LeftOut } from "./nftStore.ts";
import { readStoredState } from "./readStoredState.ts";
import { writeFolded } from "./writeFolded.ts";

/**
 * Applies blocks and moves the indexed height, in one transaction.
 *
 * @throws VipError DATABASE_IN_USE; Error if the database has no chain yet, or its height does not match the blocks.
 */
export function applyBlocks(
  { engine, writer, claim }: Database,
  blocks: readonly NftBlock[],
  progress: { readonly height: number; readonly blockHash: string },
): Promise<readonly LeftOut[]> {
  return writer.transaction().execute(async (transaction) => {
    // Each time, because the connection may be a new one, and another program may have changed the height in between.
    await claim(transaction);
    const row = transaction.selectFrom("chain").selectAll();
    const chain = await (engine === "postgres" ? row.forUpdate() : row).executeTakeFirst();
    if (!chain) throw new Error("the database has no chain yet");
    let height = chain.height;
    for (const block of blocks) {
      if (block.height <= height) throw new Error(`block ${block.height} is not above height ${height}`);
      height = block.height;
    }
    if (progress.height < height) throw new Error(`height ${progress.height} is below block ${height}`);

    const folded = foldBlocks(blocks, await readStoredState(transaction, blocks));
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
      })
      .execute();
    return folded.leftOut;
  });
}
