import { expect, test } from "vitest";
import { u64Max, type Account } from "@vipscore/core";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { StageRows } from "../../src/store/scores/stageRows.ts";

const random = seededRandom(fuzzSeed());

type Row = readonly [account: Account, score: bigint];

/** An account of 20 or 32 bytes; few enough that rows meet again, and some that differ only in their first or last byte. */
function randomAccount(): Account {
  const bytes = random.pick([20, 32]);
  const [first, last] = [random.below(4), random.below(40)].map((byte) => byte.toString(16).padStart(2, "0"));
  // 32 bytes that begin with 12 zeros are an account of 20.
  const start = bytes === 32 ? random.pick(["ff", "01", "80"]) : first;
  return `0x${start}${first}${"00".repeat(bytes - 3)}${last}` as Account;
}

/** Scores with many ties, and with digits of 16 bits in every place. */
function randomScore(): bigint {
  return random.pick([
    0n,
    1n,
    2n,
    65_535n,
    65_536n,
    2n ** 53n + 1n,
    u64Max - 1n,
    u64Max,
    BigInt(random.below(2 ** 32)),
  ]);
}

/** An account's bytes as a number, 20 like 32 with zeros before them. */
const numberOf = (account: string): bigint => BigInt(account);

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : Number(one > other));
const byAccount = ([one]: Row, [other]: Row): number => compare(numberOf(one), numberOf(other));
const byScore = (one: Row, other: Row): number => compare(one[1], other[1]) || byAccount(one, other);

/** Compares everything that rows answer with the simplest way to compute it. */
function expectLike(rows: StageRows, model: ReadonlyMap<Account, bigint>): void {
  const sorted = [...model].toSorted(byAccount);
  const ranked = [...model].toSorted(byScore);
  expect(rows.size).toBe(model.size);
  expect([...rows]).toEqual(sorted);
  expect(rows.total()).toBe(sorted.reduce((sum, [, score]) => sum + score, 0n));
  expect(Array.from(rows.byScore, (position) => Object.values(rows.at(position)))).toEqual(ranked);
  const asked: Row[] = [...sorted, ...Array.from({ length: 30 }, () => [randomAccount(), randomScore()] as const)];
  for (const [account, score] of asked) {
    const position = sorted.findIndex(([each]) => each === account);
    expect(rows.find(account)).toBe(position === -1 ? undefined : position);
    expect(rows.get(account)).toBe(model.get(account));
    expect(rows.rankOf(score)).toBe(1 + ranked.filter(([, each]) => each > score).length);
    for (const [orderBy, order] of [["score", byScore] as const, ["account", byAccount] as const]) {
      const upTo = sorted.filter((row) => order(row, [account, score]) <= 0).length;
      const from = sorted.filter((row) => order(row, [account, score]) >= 0).length;
      const counted = [false, true].map((reverse) => rows.countUpTo({ account, score }, orderBy, reverse));
      expect({ account, score, orderBy, counted }).toEqual({ account, score, orderBy, counted: [upTo, from] });
    }
  }
}

/** Packs rows in parts, and merges these again. */
function packedAndUnpacked(rows: StageRows): StageRows {
  const parts = [...rows.pack(1 + random.below(rows.size + 2))];
  expect(parts.reduce((sum, part) => sum + part.byteLength, 0)).toBe(StageRows.bytesOf(rows.size));
  return parts.reduce((merged, part) => {
    // As a database returns it: a view of a larger buffer, at an odd place.
    const place = Buffer.alloc(part.byteLength + 3);
    place.set(part, 3);
    return merged.merge(StageRows.unpack(place.subarray(3)));
  }, StageRows.none);
}

test("rows are what a map of them is, after every merge", () => {
  for (let run = 0; run < fuzzRuns(12); run += 1) {
    const model = new Map<Account, bigint>();
    let rows = StageRows.none;
    for (let step = 0; step < 6; step += 1) {
      const before = [...rows];
      const known = [...model.keys()];
      const changes = new Map<Account, bigint>();
      for (let change = random.below(random.pick([2, 12, 80])); change > 0; change -= 1) {
        const account = random.below(3) === 0 && known.length > 0 ? random.pick(known) : randomAccount();
        changes.set(account, randomScore());
      }
      const merged = rows.merge(StageRows.from(changes));
      expect([...rows]).toEqual(before);
      for (const [account, score] of changes) model.set(account, score);
      expectLike(merged, model);
      rows = random.below(2) === 0 ? merged : packedAndUnpacked(merged);
      expectLike(rows, model);
    }
  }
});

test("rows that all come before, between, after or on others are merged, however many", () => {
  const account = (at: number) => `0x${at.toString(16).padStart(40, "0")}` as Account;
  const places = [[], [1], [9], [1, 2], [5], [4, 5, 6], [1, 9], [3, 4], [6, 7, 8, 9], [1, 2, 3, 4, 5, 6, 7, 8, 9]];
  for (const mine of places) {
    for (const theirs of places) {
      const [own, others] = [mine, theirs].map((list, side) => new Map(list.map((at) => [account(at), BigInt(side)])));
      if (own === undefined || others === undefined) throw new Error("two lists");
      const merged = StageRows.from(own).merge(StageRows.from(others));
      expect(merged.size).toBe(new Set([...mine, ...theirs]).size);
      expectLike(merged, new Map([...own, ...others]));
    }
  }
});

test("without rows, every score has rank 1 and no row comes before another", () => {
  expectLike(StageRows.none, new Map());
  expect([...StageRows.none.pack(10)]).toEqual([]);
  expect(StageRows.unpack(new Uint8Array()).size).toBe(0);
});
