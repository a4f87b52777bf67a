import { openIndexer, tokensByAccount } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { collectionQuery, infinitePagesQuery, pageQuery, statusQuery } from "@vipscore/indexer-client/query";

const indexer = openIndexer("https://indexer.example.org");
const listing = tokensByAccount(indexer, "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz");

export const queries = [
  pageQuery(listing, { limit: 20 }), // useQuery(…)
  infinitePagesQuery(listing, { limit: 50 }), // useInfiniteQuery(…)
  collectionQuery(indexer, "0x1d8e31d5071bb4072fffc05b792685dcc5085bde"),
  statusQuery(indexer),
];

/** Returns the address that a user typed; undefined while it is not one. Render the list of its tokens only with one. */
export function readAccount(typed: string) {
  try {
    return decodeAddress(typed.trim());
  } catch {
    return undefined;
  }
}

/** Lists in the order that a user chose: numbers sort within one collection only. */
export function tokensInOrder(account: string, orderBy: "height" | "token_number", collectionAddr?: string) {
  if (collectionAddr !== undefined) return tokensByAccount(indexer, account, { collectionAddr, orderBy });
  return tokensByAccount(indexer, account, orderBy === "token_number" ? {} : { orderBy });
}
