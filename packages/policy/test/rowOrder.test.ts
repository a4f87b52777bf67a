import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { allowedFunctions } from "../src/run/allowedFunctions.ts";
import { alice, bob, openPolicyFolder, pointsPolicy } from "./policyFolder.ts";
import { refusals } from "./refusals.ts";

const unordered = { "points.csv": `address,points\n${alice},5\n${bob},7\n${alice},1\n${bob},9\n` };

async function runSql(sql: string, files: Readonly<Record<string, string>> = unordered) {
  await using folder = await openPolicyFolder({ "policy.sql": sql, ...files });
  return await folder.run();
}

const refusalOf = refusals();

describe("a query that depends on the order of rows is refused before it runs:", () => {
  test.each([
    "select address, first(points) as score from points group by address",
    "select address, any_value(points) as score from points group by address",
    "select address, last(points) as score from points group by address",
    "select address, arg_max(points, 1) as score from points group by address",
    "select address, list(points)[1] as score from points group by address",
    "select address, array(select points from points)[1] as score from points group by address",
    "select address, points as score from points limit 1",
    "select address, points as score from points limit 10%",
    "select address, points as score from points offset 1",
    "select address, sum(points) as score from (select * from points limit 1 offset (select (count(*) - 1) // 2 from points)) group by all",
    "select distinct on (address) address, points as score from points",
    "select address, max(n * points) as score from (select *, row_number() over () as n from points) group by address",
    "select address, max(least(n, 5 - n)) as score from (select *, row_number() over () as n from points) group by address",
    "select address, max(n) as score from (select address, lag(points) over (partition by address) as n from points) group by address",
    "select address, max(n) as score from (select address, sum(points) over (rows 1 preceding) as n from points) group by address",
    "select address, max(n) as score from (select address, first(points) over (partition by address) as n from points) group by address",
    "select address, string_agg(points::varchar, '')::bigint as score from points group by address",
    "select a.address, sum(b.points) as score from points a positional join points b group by all",
    "with recursive n(a, p) using key (a) as (select address, points from points union select a, p + 1 from n where p < 3) select a as address, p as score from n",
    "select address, sum(points / 3.0)::hugeint as score from points group by address",
    "select address, floor(avg(points / 3.0) * 1e6)::hugeint as score from points group by address",
    "select address, floor(quantile_cont(points, 0.3))::hugeint as score from points group by address",
    "select address, list_sort(any_value([points]))[1] as score from points group by address",
    "select address, list_sort(list_filter(array_agg(points), lambda p: p > 0))[1] as score from points group by address",
    "select address, length(max(address collate nocase)) as score from points group by address",
    "select address, length(a) as score from (select distinct address collate nocase as a, address from points)",
    "select address, max(points / 3)::bigint as score from points group by address",
    "select address, case when median(to_days(points::integer)) > to_days(1) then 1 else 0 end as score from points group by address",
    "select any_value(address order by address) as address, count(*) as score from points group by points / 3",
    "select any_value(address order by address) as address, count(*) as score from points group by to_days(points::integer)",
    "select address, count(*) as score from (select distinct address, points / 3 as p from points) group by address",
    "select address, count(*) as score from (select address, points / 3 from points union select address, points / 4 from points) group by address",
    "select address, count(*) as score from (select address, points / 3 from points intersect select address, points / 4 from points) group by address",
    "select address, count(*) as score from (select address, points / 3 from points except all select address, points / 4 from points) group by address",
    "select address, count(*) as score from (select address, points / 3 from points intersect all select address, points / 4 from points) group by address",
    "select address, list_sort(list(distinct points / 3))[1]::bigint as score from points group by address",
    "select address, list_sort(list(points * 0e0))[1]::bigint as score from points group by address",
    "select address, length(cast(points / 3 as varchar)) as score from points",
    "select address, length(concat('a', points / 3)) as score from points",
    "select address, length([points / 3]::varchar[][1]) as score from points",
    "select address, length(cast({'a': points / 3} as varchar)) as score from points",
    "select address, max(n) as score from (select address, count(*) over (partition by points / 3) as n from points) group by address",
    "with t as (select address, points * 1e0 as p from points) select address, sum(p)::hugeint as score from t group by address",
    "select address, floor(max(n))::hugeint as score from (select address, sum(points / 2) over (partition by address) as n from points) group by address",
    "select address, list_sum(list(points / 2 order by points))::hugeint as score from points group by address",
    "select address, floor(stddev(points) * 1e6)::hugeint as score from points group by address",
    "select address, floor(sum(ln(points + 1) * 1e12))::hugeint as score from points group by address",
    "select address, max(points ** 2)::hugeint as score from points group by address",
    "select address, list_aggregate(list(points order by points), 'approx_count_distinct')::hugeint as score from points group by address",
    "select address, list_aggr(list(points order by points), 'reservoir_quantile', 0.5)::hugeint as score from points group by address",
    "select address, array_aggregate(list(points order by points), 'first')::hugeint as score from points group by address",
    "select address, aggregate(list(points order by points), 'first')::hugeint as score from points group by address",
    "select address, list_any_value(list(points order by points))::hugeint as score from points group by address",
    "select address, mode(points) as score from points group by address",
  ])("%s", async (sql) => {
    expect(await refusalOf(sql)).toMatchObject({
      code: "POLICY_REFUSED",
      metaMessages: [expect.stringMatching(/\S/)],
    });
  });
});

describe("a query whose order decides between rows with the same key gives different scores:", () => {
  test.each([
    "select address, first(points order by 1) as score from points group by address",
    "select address, arg_max(points, 1 order by address) as score from points group by address",
    "select address, points as score from points order by 1 limit 1",
    "select distinct on (address) address, points as score from points order by address",
    "select address, max(n * points) as score from (select *, row_number() over (order by 1) as n from points) group by address",
  ])("%s", async (sql) => {
    await expect(runSql(sql)).rejects.toMatchObject({
      code: "POLICY_NOT_DETERMINISTIC",
      shortMessage: expect.stringContaining("0x"),
    });
  });
});

describe("a query may take rows by a unique key, and add exact numbers:", () => {
  test.each([
    "select address, first(points order by points) as score from points group by address",
    "select address, max(n) as score from (select address, row_number() over (order by address, points) as n from points) group by address",
    "select address, sum(n)::bigint as score from (select address, dense_rank() over (order by address) as n from points) group by address",
    "select address, max(points) as score from points group by address order by score, address limit 1",
    "select address, sum(points) // count(points) as score from points group by address",
    "select address, sum((points * 1.5)::decimal(38, 6))::bigint as score from points group by address",
    "select address, length((points * 1.5)::varchar) as score from points order by all limit 1",
    "select address, max(points // 2) as score from points group by address",
    "select address, list_sort(list(points))[1] as score from points group by address",
    "select address, count(*) as score from (select address, points from points intersect all select address, points from points) group by address",
    "select address, list_sum(list(points order by points))::bigint as score from points group by address",
  ])("%s", async (sql) => {
    expect((await runSql(sql)).table.size).toBeGreaterThan(0);
  });
});

test("a query that takes rows by a key may read a source without rows", async () => {
  const sql = "select address, first(points order by points) as score from points group by address";
  const toml = pointsPolicy["policy.toml"].replace('kind = "reference"', "$&\nmay_be_empty = true");
  const { table } = await runSql(sql, { "policy.toml": toml, "points.csv": "address,points\n" });
  expect(table.size).toBe(0);
});

test("every function of the list is one of DuckDB's", async () => {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll("select distinct lower(function_name) from duckdb_functions()");
  const known = new Set(reader.getRows().map(([name]) => String(name)));
  connection.closeSync();
  instance.closeSync();
  expect([...allowedFunctions].filter((name) => !known.has(name))).toEqual([]);
});
