import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { u64Max } from "@vipscore/core";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { scoreHolders } from "./scoreHolders.ts";

const seed = fuzzSeed();
const addressOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
const objectOf = (number: number) => `0x${number.toString(16).padStart(64, "f")}`;

describe("the score of a holder", () => {
  test("is the sum over all its tokens, one by one", () => {
    const holder = fc.oneof(
      fc.integer({ min: 0, max: 9 }).map(addressOf),
      fc.integer({ min: 1, max: 9 }).map(objectOf),
    );
    const holding = fc.record({
      weight: fc.bigInt({ min: 1n, max: 2n ** 40n }),
      owners: fc.array(holder, { maxLength: 60 }),
    });
    fc.assert(
      fc.property(fc.array(holding, { maxLength: 5 }), fc.array(holder), (collections, leftOut) => {
        const expected = new Map<string, bigint>();
        let ofNobody = 0;
        for (const { weight, owners } of collections) {
          for (const owner of owners) {
            if (owner === addressOf(0)) ofNobody += 1;
            else if (!leftOut.includes(owner)) expected.set(owner, (expected.get(owner) ?? 0n) + weight);
          }
        }
        const { rows, tokensOfNobody } = scoreHolders(
          collections.map(({ weight, owners }) => ({ weight, holders: tally(owners) })),
          new Set(leftOut),
        );
        expect(rows.map(({ account, score }) => [account, score])).toEqual(
          Array.from(expected).sort(([a], [b]) => (a < b ? -1 : 1)),
        );
        expect(tokensOfNobody).toBe(ofNobody);
      }),
      { seed, numRuns: fuzzRuns(100) },
    );
  });

  test("may be the largest u64 and no more, alone and in the total", () => {
    const one = { weight: u64Max, holders: new Map([[addressOf(1), 1]]) };
    expect(scoreHolders([one]).rows).toEqual([{ account: addressOf(1), score: u64Max }]);
    const more = { weight: 1n, holders: new Map([[addressOf(1), 1]]) };
    expect(() => scoreHolders([one, more])).toThrow(tooLargeAt(addressOf(1)));
    const other = { weight: 1n, holders: new Map([[addressOf(2), 1]]) };
    expect(() => scoreHolders([one, other])).toThrow(tooLargeAt(addressOf(2)));
  });
});

/** The error for 2^64 points, which names the account at which they are reached. */
function tooLargeAt(account: string): Error {
  const message = expect.stringMatching(new RegExp(`${account}.*${u64Max + 1n}`)) as string;
  return expect.objectContaining({ code: "INPUT_INVALID", message }) as Error;
}

function tally(owners: readonly string[]): Map<string, number> {
  const tokens = new Map<string, number>();
  for (const owner of owners) tokens.set(owner, (tokens.get(owner) ?? 0) + 1);
  return tokens;
}
