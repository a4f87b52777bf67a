import { expect } from "vitest";
import { tokenTransactions, type Indexer } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { readData } from "../chainData.ts";
import type { Ledger, LedgerToken } from "./ledger.ts";
import type { LiveChain } from "./liveChain.ts";

/** Expects an indexer to list the collections and tokens of a ledger; URIs may follow later. */
export async function expectLedger(indexer: Indexer, ledger: Ledger, chain: LiveChain): Promise<void> {
  const creator = chain.addressOf("deployer");
  const collections = ledger
    .collections()
    .map(([address, name, height, count]) => [address, name, creator, height, count]);
  const expected = { collections: sorted(collections), tokens: sorted(ledger.tokens(chain).map(valuesOf)) };
  await expect.poll(() => readListed(indexer), { timeout: hangBoundMs }).toEqual(expected);
}

/** Expects an indexer to list the transactions of every token that ever existed. */
export async function expectTransactions(indexer: Indexer, ledger: Ledger): Promise<void> {
  for (const [token, expected] of ledger.transactions()) {
    const [collection = "", tokenId = ""] = token.split("/");
    const listed: string[] = [];
    for await (const { txhash } of tokenTransactions(indexer, collection, tokenId, { reverse: false }))
      listed.push(txhash);
    expect([token, listed]).toEqual([token, expected]);
  }
}

async function readListed(indexer: Indexer) {
  const data = await readData(indexer);
  const collections = data.collections.map(({ object_addr: address, collection, height }) => {
    const { name, creator, nfts } = collection;
    return [address, name, decodeAddress(creator), height, nfts.length];
  });
  const tokens = data.tokens.map(({ collection_addr, collection_name, nft, object_addr, owner, height }) => {
    return [collection_addr, collection_name, nft.token_id, object_addr, decodeAddress(owner), nft.uri, height];
  });
  return { collections: sorted(collections), tokens: sorted(tokens) };
}

function valuesOf({ collection, name, tokenId, objectAddr, owner, uri, height }: LedgerToken): readonly unknown[] {
  return [collection, name, tokenId, objectAddr, owner, uri, height];
}

function sorted(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
