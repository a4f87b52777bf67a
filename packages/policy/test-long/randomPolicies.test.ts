import type { DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VipError } from "@vipscore/core";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { tableOf, type RowOrder } from "../src/data/sourceSql.ts";
import { writeSource } from "../src/data/writeSource.ts";
import { openTables } from "../src/run/openTables.ts";
import type { QueryTable } from "../src/run/queryJob.ts";
import { prepareQuery } from "../src/run/runQuery.ts";
import { limitsOf } from "../src/run/startQuery.ts";
import type { SourceRow } from "../src/sources/policySource.ts";

/** More than DuckDB gives one thread. */
const rows = 130_000;
const batch = 10_000;

/** Few accounts and values, so that many rows differ only in what an order can choose between. */
async function* randomRows(seed: number): AsyncGenerator<readonly SourceRow[]> {
  const { below } = seededRandom(seed);
  for (let start = 0; start < rows; start += batch) {
    yield Array.from({ length: batch }, () => {
      const text = ["a", "A", "b", "B", ""][below(5)] ?? "";
      return [`0x${`${below(9)}`.repeat(40)}`, BigInt(below(41) - 20), text];
    });
    await Promise.resolve();
  }
}

/** Values of a row, of which equal ones can differ, and what shows the difference: the sign of a zero, letters, units of time. */
const kinds = [
  { values: ["points", "points % 7"], score: "sum(v)::hugeint" },
  { values: ["points * 0e0", "points / 3 * 0"], score: "max(case when 1e0 / v > 0 then 1 else 0 end)" },
  { values: ["note", "note collate nocase"], score: "max(ascii(v))" },
  {
    values: ["case when points > 0 then interval '30 days' else interval '1 month' end"],
    score: "max(date_part('month', v))",
  },
] as const;

/** `$` stands for a value, `#` for one with which rows are sorted. */
const aggregates = [
  "max($)",
  "min($)",
  "median($)",
  "quantile_disc($, 0.3)",
  "sum($)",
  "any_value($)",
  "first($ order by #)",
  "list($)",
  "list_sort(list($))[1]",
  "list_sort(list(distinct $))",
  "list_sort(any_value([$]))[1]",
  "list_reverse_sort(array_agg($))[2]",
  "list_sort(list_filter(list($), lambda x: x is not null))[1]",
  "list_sum(list($ order by #))",
] as const;

/** `@` stands for an aggregate; each has the columns a and v. */
const shapes = [
  "select address as a, @ as v from rows group by address",
  "select any_value(address order by address) as a, count(*) as v from rows group by $",
  "select distinct address as a, $ as v from rows",
  "select address as a, $ as v from rows union select address, $ from rows",
  "select address as a, $ as v from rows intersect select address, $ from rows",
  "select address as a, $ as v from rows except all select address, $ from rows where points > 3",
  "select address as a, @ over (partition by $) as v from rows",
  "select address as a, rank() over (order by $) as v from rows",
  "select address as a, sum(points) over (order by $) as v from rows",
  "select address as a, $ as v from rows order by $ limit 5",
] as const;

const random = seededRandom(fuzzSeed());

function randomQuery(): string {
  const { values, score } = random.pick<(typeof kinds)[number]>(kinds);
  const fill = (text: string): string =>
    text.replaceAll(/[$#@]/g, (mark) =>
      mark === "@" ? fill(random.pick(aggregates)) : `(${random.pick<string>(values)})`,
    );
  return `select a as address, ${score} as score from (${fill(random.pick(shapes))}) group by a`;
}

let tables: readonly QueryTable[];
const connections: DuckDBConnection[] = [];
beforeAll(async () => {
  const folder = temporaryFolder();
  const columns = [
    { name: "address", type: "address" },
    { name: "points", type: "integer" },
    { name: "note", type: "text" },
  ] as const;
  const source = await writeSource({ name: "rows", kind: "reference", columns }, randomRows(1), { folder });
  const orders: readonly RowOrder[] = ["stored", "reversed", "shuffled"];
  tables = [tableOf(source, "stored")];
  for (const order of orders) {
    for (const threads of [1, 2, 4]) {
      const limits = { ...limitsOf(), threads };
      const mode = order === "reversed" ? "plain" : "optimized";
      connections.push(await openTables({ sql: "", tables: [tableOf(source, order)], limits, mode, spill: folder }));
    }
  }
});
afterAll(() => {
  for (const connection of connections) connection.closeSync();
});

/** Returns the scores of a query, or that it fails. */
async function scoresOf(connection: DuckDBConnection, sql: string): Promise<string> {
  try {
    const reader = await connection.runAndReadAll(`select address, score::varchar from (${sql}) order by all`);
    return reader.getRows().join("\n");
  } catch {
    return "an error";
  }
}

test("a query that is called free of order gives the same scores in every order, with every number of threads", async () => {
  const [first] = connections;
  if (first === undefined) throw new Error("no connection");
  let taken = 0;
  for (let left = fuzzRuns(20); left > 0; left -= 1) {
    const sql = randomQuery();
    const use = await prepareQuery(first, sql, tables).then(
      ({ byKey }) => (byKey.length === 0 ? "free" : "ordered"),
      (error: unknown) => {
        if (VipError.isVipError(error) || /Error: /.test(String(error))) return "refused";
        throw error;
      },
    );
    if (use !== "free") continue;
    taken += 1;
    const found: string[] = [];
    for (const connection of connections) found.push(await scoresOf(connection, sql));
    expect({ sql, different: new Set(found).size }).toEqual({ sql, different: 1 });
  }
  console.log(`${taken} queries are free of order`);
  expect(taken).toBeGreaterThan(0);
});
