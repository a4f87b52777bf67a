import fc from "fast-check";
import { expect, it } from "vitest";
import { formatBech32, type Account } from "@vipscore/core";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { createTokenJson } from "./tokenListings.ts";

const address = fc.constantFrom("0xaa", "0xbb", "0xcc").map((start) => `${start}${"0".repeat(38)}` as const);
const text = fc.string({ unit: "binary" });
const token = fc.record({
  tokenId: text,
  uri: text,
  collectionAddr: address,
  owner: address,
  objectAddr: fc.option(address, { nil: undefined }),
  height: fc.constantFrom(1, 2, 3),
});

it("writes any texts of the tokens of a page as JSON, and each with its own collection, owner and block", () => {
  fc.assert(
    fc.property(fc.array(token), text, (tokens, end) => {
      const toJson = createTokenJson();
      for (const each of tokens) {
        const [collectionName, timestamp] = [`${each.collectionAddr}${end}`, `2026-01-01T00:00:0${each.height}Z`];
        const collectionOriginName = `${end}${each.collectionAddr}`;
        expect(JSON.parse(toJson({ ...each, collectionName, collectionOriginName, timestamp }))).toEqual({
          collection_addr: each.collectionAddr,
          collection_name: collectionName,
          collection_origin_name: collectionOriginName,
          object_addr: each.objectAddr ?? "",
          owner: formatBech32(each.owner as Account),
          nft: { token_id: each.tokenId, uri: each.uri },
          height: each.height,
          timestamp,
        });
      }
    }),
    { seed: fuzzSeed(), numRuns: fuzzRuns(100) },
  );
});
