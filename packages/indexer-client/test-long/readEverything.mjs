// Reads a collection with the built package, in any Node, and prints the result.
import { IndexerRequestError, openIndexer, tokensByCollection } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { readHolders } from "@vipscore/indexer-client/holders";
import { pageQuery } from "@vipscore/indexer-client/query";

const [, , url, collectionAddr] = process.argv;
const indexer = openIndexer(url);
const listing = tokensByCollection(indexer, collectionAddr);

let tokens = 0;
for await (const token of listing.items({ limit: 20 })) if (decodeAddress(token.owner)) tokens += 1;
const { signal } = new AbortController();
const { total } = await pageQuery(listing, { countTotal: true }).queryFn({ signal });
const { holders } = await readHolders(indexer, collectionAddr);
const refusal = await listing.page({ key: "no base64" }).catch((error) => error);
const late = await listing.page({ signal: AbortSignal.abort(new Error("enough")) }).catch((error) => error);

console.log(
  JSON.stringify({
    node: process.version,
    tokens,
    total,
    holders: holders.size,
    refusal: refusal instanceof IndexerRequestError && refusal.code,
    abort: late.message,
  }),
);
