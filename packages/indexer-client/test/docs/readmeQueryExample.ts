import { openIndexer, tokensByAccount } from "@vipscore/indexer-client";
import { collectionQuery, infinitePagesQuery, pageQuery, statusQuery } from "@vipscore/indexer-client/query";

const indexer = openIndexer("https://indexer.example.org");
const listing = tokensByAccount(indexer, "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz");

export const queries = [
  pageQuery(listing, { limit: 20 }), // useQuery(…)
  infinitePagesQuery(listing, { limit: 50 }), // useInfiniteQuery(…)
  collectionQuery(indexer, "0x1d8e31d5071bb4072fffc05b792685dcc5085bde"),
  statusQuery(indexer),
];
