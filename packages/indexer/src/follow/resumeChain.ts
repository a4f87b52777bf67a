import { CheckError } from "@vipscore/core";
import type { NftChain } from "../chain/nftChain.ts";
import type { IndexedChain, NftStore } from "../store/nftStore.ts";
import { patiently, type Patience } from "./patiently.ts";

/**
 * What the database says is indexed of the chain; a new database is begun.
 *
 * @param startHeight - First block that a new database will hold, from 1.
 * @throws CheckError `CHAIN_MISMATCH` when the database is about another chain; errors of the store, such as `DATABASE_IN_USE`; the signal's reason.
 */
export async function resumeChain(
  { chain, store, startHeight }: { readonly chain: NftChain; readonly store: NftStore; readonly startHeight: number },
  patience: Patience,
): Promise<IndexedChain> {
  const chainId = await patiently(() => chain.readChainId(patience.signal), patience);
  await store.claimWriting();
  const indexed = await store.readChain();
  if (indexed === undefined) {
    await store.beginChain(chainId, startHeight - 1);
    return { chainId, height: startHeight - 1, blockHash: "" };
  }
  if (indexed.chainId === chainId) return indexed;
  throw new CheckError(`the database holds NFTs of chain ${indexed.chainId}, the node serves chain ${chainId}`, {
    code: "CHAIN_MISMATCH",
    metaMessages: ["Name another database for this chain, or the node of the chain that was indexed."],
  });
}

/** The error for a chain that is not the one that was indexed, although it has the same id. */
export function chainRestarted({ chainId, height }: IndexedChain, what: string): CheckError {
  return new CheckError(`chain ${chainId} was started anew since its block ${height} was indexed: ${what}`, {
    code: "CHAIN_RESTARTED",
    metaMessages: [
      "Remove the database, or name another one, and index anew.",
      "Blocks that were read once are taken to be final, as they are on Initia's rollups.",
    ],
  });
}
