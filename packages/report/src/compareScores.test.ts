import { describe, expect, test } from "vitest";
import { formatBech32, formatChecksummed, parseAccount, ScoreTable, type ScoreRow } from "@vipscore/core";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { compareScores, measures, type Measure } from "./compareScores.ts";

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
      account: name,
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
  const gainOf: Readonly<Record<Measure, (name: string) => bigint>> = {
    score: (name) => after.of(name).score - before.of(name).score,
    share: (name) => after.of(name).score * (before.total || 1n) - before.of(name).score * (after.total || 1n),
    rank: (name) => (isBoth(name) ? BigInt((before.of(name).rank ?? 0) - (after.of(name).rank ?? 0)) : 0n),
  };
  const entered = names.filter((name) => !before.scores.has(name));
  const left = names.filter((name) => !after.scores.has(name));
  const numberOf = (is: (gain: bigint) => boolean) =>
    names.filter((name) => isBoth(name) && is(gainOf.score(name))).length;
  return {
    before: before.spread,
    after: after.spread,
    entered: {
      accounts: entered.length,
      largest: largestBy((name) => (entered.includes(name) ? after.of(name).score : 0n)),
    },
    left: { accounts: left.length, largest: largestBy((name) => (left.includes(name) ? before.of(name).score : 0n)) },
    higher: numberOf((gain) => gain > 0n),
    lower: numberOf((gain) => gain < 0n),
    unchanged: numberOf((gain) => gain === 0n),
    changes: Object.fromEntries(
      measures.map((measure) => [
        measure,
        { gains: largestBy(gainOf[measure]), losses: largestBy((name) => -gainOf[measure](name)) },
      ]),
    ),
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

const nothing = { accounts: 0, largest: [] };
const flat = { total: 0n, accounts: 0, largestShare: "0.0000", gini: "0.0000", deciles: Array(10).fill("0.0000") };

describe("has a result for", () => {
  test.each([
    ["empty tables", tableOf(), tableOf()],
    ["totals of 0", tableOf(0n, 0n), tableOf(0n)],
  ])("%s", (_, before, after) => {
    const none = { gains: [], losses: [] };
    expect(compareScores(before, after)).toEqual({
      before: flat,
      after: flat,
      entered: nothing,
      left: nothing,
      higher: 0,
      lower: 0,
      unchanged: 0,
      changes: { score: none, share: none, rank: none },
    });
  });

  test("a total of 0 and another", () => {
    const compared = compareScores(tableOf(0n), tableOf(5n, 15n));
    expect(compared).toMatchObject({ before: flat, after: { total: 20n, gini: "0.2500", largestShare: "75.0000" } });
    expect(compared.entered.accounts).toBe(2);
    expect(compared.changes.share.gains.map(({ share }) => share.after)).toEqual(["75.0000", "25.0000"]);
  });

  test("equal tables", () => {
    const { entered, left, unchanged, changes } = compareScores(tableOf(1n, 7n, 7n), tableOf(1n, 7n, 7n));
    expect([entered, left, unchanged]).toEqual([nothing, nothing, 3]);
    for (const measure of measures) expect(changes[measure]).toEqual({ gains: [], losses: [] });
  });

  test("disjoint tables", () => {
    const other = ScoreTable.from([{ account: account(99), score: 3n }]);
    const { entered, left, higher, lower, unchanged, changes } = compareScores(tableOf(2n, 1n), other);
    expect([entered.accounts, left.accounts, higher, lower, unchanged]).toEqual([1, 2, 0, 0, 0]);
    expect(changes.score.gains).toMatchObject([{ account: account(99), score: { before: 0n, after: 3n } }]);
    expect(changes.score.losses.map(({ score }) => score.before)).toEqual([2n, 1n]);
    expect(changes.rank).toEqual({ gains: [], losses: [] });
  });

  test.each([formatChecksummed(account(11)), formatBech32(account(11))])("an account spelled %s", (spelling) => {
    const [before, after] = [account(11), spelling].map((each) => ScoreTable.from([{ account: each, score: 4n }]));
    expect(compareScores(before ?? tableOf(), after ?? tableOf())).toMatchObject({ unchanged: 1, entered: nothing });
  });

  test("the largest scores, which are exact", () => {
    const { before, after, changes } = compareScores(tableOf(largest, 0n), tableOf(largest - 1n, 1n));
    expect([before.largestShare, after.largestShare]).toEqual(["100.0000", "99.9999"]);
    expect(changes.score.losses).toMatchObject([{ score: { before: largest, after: largest - 1n } }]);
    expect(changes.share.losses).toHaveLength(1);
  });

  test("ties, which share the better rank", () => {
    const { changes } = compareScores(tableOf(5n, 5n, 1n), tableOf(5n, 1n, 1n));
    expect(changes.rank.losses.map(({ rank }) => rank)).toEqual([{ before: 1, after: 2 }]);
    expect(changes.rank.gains.map(({ rank }) => rank)).toEqual([{ before: 3, after: 2 }]);
  });
});
