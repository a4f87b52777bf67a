import type { SeededRandom } from "@vipscore/testkit/seededRandom";
import { heightOf, largeCollection, largeHolder, ownerOf } from "./indexerTokens.ts";

/** Returns the path of one request of a mix, for a database with that many tokens. */
export type Mix = (random: SeededRandom, tokens: number) => string;

const base = "/indexer/nft/v1";
const ofCollection = `${base}/tokens/by_collection/${largeCollection}`;
const ofHolder = `${base}/tokens/by_account/${largeHolder}`;

/** Requests that the readers of the load test send, each mix by its name. */
export const mixes: Readonly<Record<string, Mix>> = {
  "collection, 100 after a key": (random, tokens) => `${ofCollection}?${keyOf(random.below(tokens))}`,
  "collection, 1,000 after a key": (random, tokens) =>
    `${ofCollection}?${keyOf(random.below(tokens))}&pagination.limit=1000`,
  "collection, 100 after an offset": (random, tokens) => `${ofCollection}?pagination.offset=${random.below(tokens)}`,
  "large owner, 100 after a key": (random, tokens) => `${ofHolder}?${keyOf(random.below(tokens))}`,
  "large owner, 100 after an offset": (random, tokens) =>
    `${ofHolder}?pagination.offset=${random.below(Math.floor(tokens * 0.9))}`,
  "small owner": (random, tokens) =>
    `${base}/tokens/by_account/${ownerOf(10 * random.below(Math.ceil(tokens / 10)) + 9)}`,
  "one token": (random, tokens) => `${ofCollection}?token_id=${1 + random.below(tokens)}`,
  "transactions of a token": (random, tokens) => `${base}/txs/${largeCollection}/${1 + random.below(tokens)}`,
};

function keyOf(index: number): string {
  const row = { height: heightOf(index), token_id: String(index + 1), collection_addr: largeCollection };
  return `pagination.key=${encodeURIComponent(Buffer.from(JSON.stringify(row)).toString("base64"))}`;
}
