import { stage as stageOf, u64Max } from "@vipscore/core";
import { expect } from "../expect.ts";
import { inArea, onContract, onContractOf } from "../scenario.ts";
import type { Row } from "../subject.ts";
import {
  accountOf,
  allRows,
  done,
  expectStage,
  memberPages,
  on,
  pagesOf,
  readByClient,
  rowsOf,
  scored,
  sorted,
  writeRows,
} from "./expectations.ts";

const sizes = (pages: readonly (readonly Row[])[]): readonly number[] => pages.map((page) => page.length);

export const readingScenarios = inArea("reading", "read", {
  everything: {
    name: "readers return version, first stage, stages, counts, scores, members and owner",
    rules: ["R18"],
    reference: "on Move no reader returns the flag, the first stage or the deployers; on EVM none returns the count",
    run: onContractOf({ initStage: 5n, members: ["alice"] }, async (contract) => {
      await done(contract, "alice", { kind: "updateScores", stage: 5n, rows: scored(3n, 0n) });
      const { read } = contract;
      expect(await read.getVersion()).toMatch(/^\d+\.\d+\.\d+/);
      expect(await read.getInitStage()).toBe(5n);
      const seen = { total: 3n, isFinalized: false, count: 2n, revision: 1n };
      expect(await read.getStage(5n)).toMatchObject({ exists: true, ...seen });
      expect((await memberPages(read, 10)).flat()).toHaveLength(2);
      const port = await contract.port("creator");
      expect(port.version).toBe(await read.getVersion());
      expect(await port.getInitStage()).toBe(5n);
      expect(await port.getStage(stageOf(5n))).toEqual({ stage: 5n, ...seen });
    }),
  },
  absent: {
    name: "readers distinguish a score of 0 from no score",
    rules: ["R6", "R18"],
    differences: [
      { vm: "move", rule: "M11", what: "the published reader returns 0 for both; get_scores_of distinguishes them" },
      { vm: "wasm", rule: "W8", what: "the published reader fails if there is no score, as published" },
    ],
    run: onContractOf({ scores: [0n] }, async (contract) => {
      const { read } = contract;
      expect([await read.getScore(1n, accountOf(0)), await read.getScore(1n, accountOf(1))]).toEqual([0n, undefined]);
      const port = await contract.port("creator");
      const one = stageOf(1n);
      expect([await port.getScore(one, accountOf(0)), await port.getScore(one, accountOf(1))]).toEqual([0n, undefined]);
      const published = [
        await read.getPublishedScore(1n, accountOf(0)),
        await read.getPublishedScore(1n, accountOf(1)),
      ];
      expect(published).toEqual([0n, contract.vm === "move" ? 0n : "missing"]);
    }),
  },
  "page-boundary": {
    name: "pages hold each row once, whatever their size, and the last page is marked",
    rules: ["R19"],
    reference: "on EVM a page past the end reverts, and a zero row may be padding or a score",
    differences: [{ vm: "move", rule: "M12", what: "a full last page is followed by an empty one" }],
    run: onContract(async (contract) => {
      const rows = rowsOf(6);
      await writeRows(contract, rows);
      for (const [limit, expected] of [
        [1, [1, 1, 1, 1, 1, 1]],
        [2, [2, 2, 2]],
        [3, [3, 3]],
        [4, [4, 2]],
        [5, [5, 1]],
        [6, [6]],
        [7, [6]],
      ] as const) {
        const pages = await pagesOf(contract, 1n, limit);
        const isFull = pages.length > 0 && rows.length % limit === 0;
        expect(sizes(pages), `pages of ${limit}`).toEqual(
          contract.vm === "move" && isFull ? [...expected, 0] : expected,
        );
        expect(sorted(pages.flat())).toEqual(sorted(rows));
      }
    }),
  },
  "empty-stage": {
    name: "a stage without scores has one empty page, which is the last",
    rules: ["R19"],
    run: onContract(async (contract) => {
      expect(await contract.read.getPage(1n, 10)).toEqual({ items: [], next: undefined });
      expect((await contract.read.getPublishedPage(1n, 10)).rows).toEqual([]);
    }),
  },
  "past-the-end": {
    name: "a published page that starts past the end is empty and not an error",
    rules: ["R19"],
    reference: "on EVM it reverts",
    differences: [{ vm: "evm", rule: "E12", what: "published pages are padded to the limit with zero rows" }],
    run: onContract(async (contract) => {
      await writeRows(contract, rowsOf(3));
      const { rows, padding } = await contract.read.getPublishedPage(1n, 5);
      expect({ rows: rows.length, padding }).toEqual({ rows: 3, padding: contract.vm === "evm" ? 2 : 0 });
      const { account: last } = rows.at(-1) ?? { account: accountOf(0) };
      for (const offset of [3, 4, 1_000]) {
        expect((await contract.read.getPublishedPage(1n, 5, { offset, last })).rows).toEqual([]);
      }
      const rest = await contract.read.getPublishedPage(1n, 5, { offset: 1, last: rows[0]?.account ?? last });
      expect(rest.rows).toEqual(rows.slice(1));
    }),
  },
  order: {
    name: "pages are in one documented order",
    rules: ["R19"],
    differences: [
      { vm: "evm", rule: "E8", what: "by account id, which is the order of first use in any stage" },
      { vm: "move", rule: "M12", what: "descending by address" },
      { vm: "wasm", rule: "W11", what: "ascending by the bytes of the address" },
    ],
    run: onContract(async (contract) => {
      const rows = rowsOf(12);
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows });
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      // In the next stage the same accounts come in another order of writing.
      await done(contract, "creator", { kind: "updateScores", stage: 2n, rows: [...rows].reverse() });
      const { rows: page } = await contract.read.getPublishedPage(2n, 12);
      const texts = page.map(({ account }) => contract.spell(account));
      const bySight = rows.map(({ account }) => contract.spell(account));
      const byText = [...texts].sort();
      const byBytes = rows.map(({ account }) => account).sort();
      const wasm = byBytes.map((account) => contract.spell(account));
      expect(texts).toEqual(on(contract.vm, { evm: bySight, move: byText.toReversed(), wasm }));
    }),
  },
  "largest-page": {
    name: "a page has at most 1,000 rows whatever the limit; 1,000 and 1,001 rows are read completely",
    rules: ["R19"],
    reference: "on Wasm pages have no maximum size, so a reader can request more than a node can compute",
    differences: [
      { vm: "evm", rule: "E12", what: "the published pages have at most 5,000 rows" },
      { vm: "move", rule: "M12", what: "a full last page is followed by an empty one" },
      {
        vm: "wasm",
        rule: "W11",
        what: "the published pages have at most 4,000 rows, and a larger limit is refused if it cuts",
      },
    ],
    run: onContract(async (contract) => {
      const rows = rowsOf(1_001);
      await writeRows(contract, rows.slice(0, 1_000));
      const full = contract.vm === "move" ? [1_000, 0] : [1_000];
      expect(sizes(await pagesOf(contract, 1n, 1_000))).toEqual(full);
      expect(sizes(await pagesOf(contract, 1n, 5_000))).toEqual(full);
      await writeRows(contract, rows.slice(1_000));
      expect(sizes(await pagesOf(contract, 1n, 5_000))).toEqual([1_000, 1]);
      await expectStage(contract, rows);
      const published = await contract.read.getPublishedPage(1n, 5_000);
      expect(published.rows).toHaveLength(on(contract.vm, { evm: 1_001, move: 1_000, wasm: 1_001 }));

      const port = await contract.port("creator");
      expect(await readByClient(port, 1n)).toEqual(sorted(rows));
    }),
  },
  "zeros-listed": {
    name: "scores of 0 are in the pages and in the count",
    rules: ["R7", "R18"],
    run: onContractOf({ scores: [0n, 0n, 5n, 0n] }, async (contract) => {
      await expectStage(contract, scored(0n, 0n, 5n, 0n));
      expect(sorted((await contract.read.getPublishedPage(1n, 4)).rows)).toEqual(sorted(scored(0n, 0n, 5n, 0n)));
    }),
  },
  "finalized-pages": {
    name: "the pages of a finalized stage stay the same, row for row and in order",
    rules: ["R5", "R20"],
    run: onContract(async (contract) => {
      await writeRows(contract, rowsOf(9, 5));
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      const before = await pagesOf(contract, 1n, 4);
      const publishedBefore = await contract.read.getPublishedPage(1n, 9);
      // New accounts before, between and after the old ones.
      await writeRows(contract, rowsOf(30), 2n);
      expect(await pagesOf(contract, 1n, 4)).toEqual(before);
      expect(await contract.read.getPublishedPage(1n, 9)).toEqual(publishedBefore);
    }),
  },
  "at-a-height": {
    name: "all reads at one height show one state, during writes",
    rules: ["R20"],
    run: onContract(async (contract) => {
      const port = await contract.port("creator");
      const one = stageOf(1n);
      await writeRows(contract, scored(1n, 2n));
      const height = await port.getHeight();
      await writeRows(contract, scored(9n, 2n, 7n));
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      expect(await readByClient(port, 1n, height)).toEqual(sorted(scored(1n, 2n)));
      expect(await port.getStage(one, { height })).toEqual({
        stage: 1n,
        total: 3n,
        isFinalized: false,
        count: 2n,
        revision: 1n,
      });
      expect(await port.getScore(one, accountOf(2), { height })).toBeUndefined();
      expect(await port.getStage(one)).toEqual({ stage: 1n, total: 18n, isFinalized: true, count: 3n, revision: 2n });
      expect(await allRows(contract)).toEqual(sorted(scored(9n, 2n, 7n)));
    }),
  },
  "one-of-u64": {
    name: "readers accept the largest stage number together with the largest score",
    rules: ["R18"],
    run: onContractOf({ initStage: u64Max }, async (contract) => {
      await writeRows(contract, scored(u64Max), u64Max);
      expect(await contract.read.getScore(u64Max, accountOf(0))).toBe(u64Max);
      expect(await contract.read.getPublishedTotal(u64Max)).toBe(u64Max);
      expect((await contract.read.getPublishedPage(u64Max, 1)).rows).toEqual(scored(u64Max));
    }),
  },
});
