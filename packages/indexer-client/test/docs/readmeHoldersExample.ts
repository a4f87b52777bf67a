import { openIndexer } from "@vipscore/indexer-client";
import { readHolders } from "@vipscore/indexer-client/holders";

const indexer = openIndexer("https://indexer.example.org");
const { height, tokens, holders } = await readHolders(indexer, "0x1d8e31d5071bb4072fffc05b792685dcc5085bde");
console.log(`at height ${height} ${holders.size} holders have ${tokens} tokens`);
for (const [owner, held] of holders) console.log(owner, held);
