import fc from "fast-check";
import { expect, it } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { tokenJson } from "./rowJson.ts";

it("writes any text of a token as JSON", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(text, text, text, (tokenId, uri, collectionName) => {
      const row = { tokenId, uri, collectionName, collectionAddr: "0xc1", objectAddr: undefined, height: 7 } as const;
      expect(JSON.parse(tokenJson({ ...row, owner: "0xaa", timestamp: "2026-01-01T00:00:00Z" }))).toEqual({
        collection_addr: "0xc1",
        collection_name: collectionName,
        collection_origin_name: "",
        object_addr: "",
        owner: expect.stringMatching(/^init1/),
        nft: { token_id: tokenId, uri },
        height: 7,
        timestamp: "2026-01-01T00:00:00Z",
      });
    }),
    { seed: fuzzSeed(), numRuns: fuzzRuns(100) },
  );
});
