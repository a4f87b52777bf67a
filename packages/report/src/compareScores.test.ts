import { describe, expect, test } from "vitest";
import { formatBech32, formatChecksummed, parseAccount, ScoreTable, type ScoreRow } from "@vipscore/core";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { compareScores } from "./compareScores.ts";

const largest = 2n ** 64n - 1n;
const account = (index: number) =>
  parseAccount(`0x5eed${index.toString(16).padStart(36, "0")}`, { accountBytes: [20] });
const tableOf = (...scores: readonly bigint[]) =>
  ScoreTable.from(scores.map((score, index) => ({ account: account(index), score })));

/** Four digits after the point, rounded down. */
function digitsOf(part: bigint, whole: bigint): string {
  const text = `${whole === 0n ? 0n : (part * 10_000n) / whole}`.padStart(5, "0");
  return `${text.slice(0, -4)}.${text.slice(-4)}`;
}

/** The model: it looks at every pair of accounts, and sorts everything. */
class Model {
  readonly scores: ReadonlyMap<string, bigint>;
  readonly values: readonly bigint[];
  readonly total: bigint;

  constructor(rows: readonly ScoreRow[]) {
    this.scores = new Map(rows.filter(({ score }) => score > 0n).map(({ account: of, score }) => [of, score]));
    this.values = [...this.scores.values()];
    this.total = this.values.reduce((sum, score) => sum + score, 0n);
  }

  of(name: string) {
    const score = this.scores.get(name) ?? 0n;
    const rank = score === 0n ? null : 1 + this.values.filter((other) => other > score).length;
    return { score, share: digitsOf(score * 100n, this.total), rank };
  }

  get spread() {
    const { values, total } = this;
    const sorted = values.toSorted((one, other) => (one < other ? -1 : Number(one > other)));
    const deciles = Array.from({ length: 10 }, (_, decile) => {
      const isIn = (index: number) => Math.ceil((10 * (index + 1)) / sorted.length) === decile + 1;
      const sum = sorted.filter((__, index) => isIn(index)).reduce((part, score) => part + score, 0n);
      return digitsOf(sum * 100n, total);
    });
    const differences = values.flatMap((one) => values.map((other) => (one > other ? one - other : other - one)));
    const gini = digitsOf(
      differences.reduce((sum, difference) => sum + difference, 0n),
      2n * BigInt(values.length) * total,
    );
    return {
      total,
      accounts: values.length,
      largestShare: digitsOf((sorted.at(-1) ?? 0n) * 100n, total),
      gini,
      deciles,
    };
  }
}

function expectedOf(before: Model, after: Model) {
  const names = [...new Set([...before.scores.keys(), ...after.scores.keys()])].sort();
  const isBoth = (name: string) => before.scores.has(name) && after.scores.has(name);
  const changeOf = (name: string) => {
    const [was, is] = [before.of(name), after.of(name)];
    return {
      address: formatChecksummed(parseAccount(name, { accountBytes: [20] })),
      score: { before: was.score, after: is.score },
      share: { before: was.share, after: is.share },
      rank: { before: was.rank, after: is.rank },
    };
  };
  const largestBy = (key: (name: string) => bigint) =>
    names
      .filter((name) => key(name) > 0n)
      // Names are sorted, and the sort keeps the order of equal ones.
      .toSorted((one, other) => (key(one) > key(other) ? -1 : Number(key(one) < key(other))))
      .slice(0, 20)
      .map(changeOf);
  const scoreGain = (name: string) => after.of(name).score - before.of(name).score;
  const shareGain = (name: string) =>
    after.of(name).score * (before.total || 1n) - before.of(name).score * (after.total || 1n);
  const rankGain = (name: string) =>
    isBoth(name) ? BigInt((before.of(name).rank ?? 0) - (after.of(name).rank ?? 0)) : 0n;
  const isNew = (name: string) => !before.scores.has(name);
  const isGone = (name: string) => !after.scores.has(name);
  const numberOf = (is: (name: string) => boolean) => names.filter(is).length;
  return {
    before: before.spread,
    after: after.spread,
    accounts: {
      entered: numberOf(isNew),
      left: numberOf(isGone),
      higher: numberOf((name) => isBoth(name) && scoreGain(name) > 0n),
      lower: numberOf((name) => isBoth(name) && scoreGain(name) < 0n),
      unchanged: numberOf((name) => isBoth(name) && scoreGain(name) === 0n),
    },
    largest: {
      entered: largestBy((name) => (isNew(name) ? after.of(name).score : 0n)),
      left: largestBy((name) => (isGone(name) ? before.of(name).score : 0n)),
      "gains by score": largestBy(scoreGain),
      "losses by score": largestBy((name) => -scoreGain(name)),
      "gains by share": largestBy(shareGain),
      "losses by share": largestBy((name) => -shareGain(name)),
      "gains by rank": largestBy(rankGain),
      "losses by rank": largestBy((name) => -rankGain(name)),
    },
  };
}

test("200 random pairs are compared as an independent model does", () => {
  const { below, pick } = seededRandom(fuzzSeed());
  const scores = [() => 0n, () => 1n, () => BigInt(below(5)), () => BigInt(below(2 ** 31)) << BigInt(below(27))];
  const rowsOf = (): readonly ScoreRow[] => {
    const step = 1 + below(4);
    return Array.from({ length: below(60) }, (_, index) => ({ account: account(index * step), score: pick(scores)() }));
  };
  for (let round = 0; round < 200; round += 1) {
    const [before, after] = [rowsOf(), below(8) === 0 ? [] : rowsOf()];
    const compared = compareScores(ScoreTable.from(before), ScoreTable.from(after.toReversed()));
    expect(compared).toEqual(expectedOf(new Model(before), new Model(after)));
  }
});

const flat = { total: 0n, accounts: 0, largestShare: "0.0000", gini: "0.0000", deciles: Array(10).fill("0.0000") };
const nobody = { entered: 0, left: 0, higher: 0, lower: 0, unchanged: 0 };
const changesOf = (before: ScoreTable, after: ScoreTable) => {
  const { accounts, largest: lists } = compareScores(before, after);
  const shown = Object.entries(lists).filter(([, changes]) => changes.length > 0);
  return { accounts, lists: Object.fromEntries(shown) };
};

describe("has a result for", () => {
  test.each([
    ["empty tables", tableOf(), tableOf()],
    ["totals of 0", tableOf(0n, 0n), tableOf(0n)],
  ])("%s", (_, before, after) => {
    expect(compareScores(before, after)).toMatchObject({ before: flat, after: flat });
    expect(changesOf(before, after)).toEqual({ accounts: nobody, lists: {} });
  });

  test("a total of 0 and another", () => {
    const { before, after, accounts, largest: lists } = compareScores(tableOf(0n), tableOf(5n, 15n));
    expect(before).toEqual(flat);
    expect(after).toMatchObject({ total: 20n, gini: "0.2500", largestShare: "75.0000" });
    expect(accounts.entered).toBe(2);
    expect(lists["gains by share"]?.map(({ share }) => share.after)).toEqual(["75.0000", "25.0000"]);
  });

  test("equal tables", () => {
    const accounts = { ...nobody, unchanged: 3 };
    expect(changesOf(tableOf(1n, 7n, 7n), tableOf(1n, 7n, 7n))).toEqual({ accounts, lists: {} });
  });

  test("disjoint tables", () => {
    const other = ScoreTable.from([{ account: account(99), score: 3n }]);
    const { accounts, lists } = changesOf(tableOf(2n, 1n), other);
    expect(accounts).toEqual({ ...nobody, entered: 1, left: 2 });
    const address = formatChecksummed(account(99));
    expect(lists["gains by score"]).toMatchObject([{ address, score: { before: 0n, after: 3n } }]);
    expect(lists["losses by score"]?.map(({ score }) => score.before)).toEqual([2n, 1n]);
    expect(lists).not.toHaveProperty(["gains by rank"]);
  });

  test.each([formatChecksummed(account(11)), formatBech32(account(11))])("an account spelled %s", (spelling) => {
    const [before, after] = [account(11), spelling].map((each) => ScoreTable.from([{ account: each, score: 4n }]));
    expect(changesOf(before ?? tableOf(), after ?? tableOf()).accounts).toEqual({ ...nobody, unchanged: 1 });
  });

  test("the largest scores, which are exact", () => {
    const { before, after, largest: lists } = compareScores(tableOf(largest, 0n), tableOf(largest - 1n, 1n));
    expect([before.largestShare, after.largestShare]).toEqual(["100.0000", "99.9999"]);
    expect(lists["losses by score"]).toMatchObject([{ score: { before: largest, after: largest - 1n } }]);
    expect(lists["losses by share"]).toHaveLength(1);
  });

  test("ties, which share the better rank", () => {
    const { lists } = changesOf(tableOf(5n, 5n, 1n), tableOf(5n, 1n, 1n));
    expect(lists["losses by rank"]?.map(({ rank }) => rank)).toEqual([{ before: 1, after: 2 }]);
    expect(lists["gains by rank"]?.map(({ rank }) => rank)).toEqual([{ before: 3, after: 2 }]);
  });
});
