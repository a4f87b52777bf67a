import {
  getCollection,
  IndexerRequestError,
  openIndexer,
  tokensByAccount,
  tokensByCollection,
} from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";

const indexer = openIndexer("https://indexer.example.org");
const collectionAddr = "0x1d8e31d5071bb4072fffc05b792685dcc5085bde";

// One page, for a screen.
const mine = tokensByAccount(indexer, "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz", { orderBy: "height" });
const { items, nextKey, total } = await mine.page({ limit: 20 });
console.log(
  items.map(({ nft }) => nft.token_id),
  total,
);
if (nextKey !== null) await mine.page({ limit: 20, key: nextKey });

// Every token of a collection, the next page read while this one is worked on.
const held = new Map<string, number>();
for await (const token of tokensByCollection(indexer, collectionAddr)) {
  const owner = decodeAddress(token.owner);
  held.set(owner, (held.get(owner) ?? 0) + 1);
}

// Page by page, with an end, and over rows that the server cannot serve.
const listing = tokensByCollection(indexer, collectionAddr);
const signal = AbortSignal.timeout(60_000);
for await (const page of listing.pages({ signal, onBadRow: ({ offset }) => console.warn(`row ${offset} left out`) })) {
  console.log(page.items.length);
}

// Errors have a class and a code.
try {
  await getCollection(indexer, "0xcf");
} catch (error) {
  if (!(error instanceof IndexerRequestError)) throw error;
  console.error(error.code, error.status, error.retryable, error.message);
}
