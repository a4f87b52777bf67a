import type { SeededRandom } from "@vipscore/testkit/seededRandom";
import type { ChainData } from "../chainData.ts";
import { base64, nftRequest, type GeneratedRequest, type Query } from "./generatedRequest.ts";

/** First pages of complete walks: of the largest collections and owners, by offset and by the last row, in each order. */
export function generateWalks(data: ChainData, random: SeededRandom): readonly GeneratedRequest[] {
  const byCollection = largest(data.tokens.map((token) => token.collection_addr));
  const byOwner = largest(data.tokens.map((token) => token.owner));
  const listings: readonly (readonly [string, number])[] = [
    ...byCollection.map(([addr, size]) => [`tokens/by_collection/${addr}`, size] as const),
    ...byOwner.map(([owner, size]) => [`tokens/by_account/${owner}`, size] as const),
  ];
  return listings.flatMap(([path, size]) =>
    ["token_id", "height"].flatMap((order) => {
      const reverse = random.pick(["true", "false"]);
      // Before the first row in that order.
      const height = reverse === "true" ? Number.MAX_SAFE_INTEGER : 0;
      const start = { height, token_id: reverse === "true" ? "\u{10FFFF}" : "" };
      const query: Query = {
        order_by: order,
        "pagination.reverse": reverse,
        "pagination.count_total": random.pick(["true", "false"]),
        "pagination.limit": String(limitFor(size, random)),
      };
      return [
        nftRequest("walk by offset", path, query),
        nftRequest("walk by row", path, { ...query, "pagination.key": base64(JSON.stringify(start)) }),
      ];
    }),
  );
}

/** A limit that gives a few pages; every other limit divides the listing evenly. */
function limitFor(size: number, random: SeededRandom): number {
  const divisors = [2, 3, 4, 5, 8, 10].filter((pages) => size % pages === 0);
  const pages = divisors.length > 0 && random.below(2) === 0 ? random.pick(divisors) : 2 + random.below(7);
  return Math.min(1000, Math.max(1, Math.ceil(size / pages)));
}

/** The most frequent values, with their counts. */
function largest(values: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 4);
}
