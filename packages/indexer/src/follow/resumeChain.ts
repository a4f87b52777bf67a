import { VipError } from "@vipscore/core";
import type { NftChain } from "../chain/nftChain.ts";
import type { IndexedChain } from "../store/indexedChain.ts";
import type { NftStore } from "../store/store.ts";
import { patiently, type Patience } from "./patiently.ts";

/** Returns what the database has indexed of the chain; initializes a new database, whose first block is `startHeight`. */
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
  throw new VipError(`the database holds NFTs of chain ${indexed.chainId}, the node serves chain ${chainId}`, {
    code: "CHAIN_MISMATCH",
    metaMessages: ["Use another database for this chain, or a node of the indexed chain."],
  });
}

/** The error for a chain that differs from the indexed one but has the same ID. */
export function chainRestarted({ chainId, height }: IndexedChain, what: string): VipError {
  return new VipError(`chain ${chainId} was restarted since its block ${height} was indexed: ${what}`, {
    code: "CHAIN_RESTARTED",
    metaMessages: [
      "Remove the database, or use another one, and index again.",
      "Indexed blocks are treated as final, as they are on Initia's rollups.",
    ],
  });
}
