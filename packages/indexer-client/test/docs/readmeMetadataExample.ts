import { openIndexer, tokensByAccount } from "@vipscore/indexer-client";
import { readMetadata } from "@vipscore/indexer-client/metadata";

const indexer = openIndexer("https://indexer.example.org");
for await (const token of tokensByAccount(indexer, "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz")) {
  const result = await readMetadata(token, { timeoutMs: 10_000 });
  if (result.ok) console.log(result.metadata.name, result.metadata.image, result.metadata.attributes);
  else console.warn(token.nft.token_id, result.reason, result.details);
}
