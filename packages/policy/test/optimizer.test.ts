import { describe, expect, test } from "vitest";
import { alice, bob, openPolicyFolder } from "./policyFolder.ts";

const carol = `0x${"33".repeat(20)}`;
const rows = [
  [alice, 1, 50],
  [bob, 1, 40],
  [carol, 1, 10],
  [alice, 2, 9],
  [bob, 2, 8],
  [carol, 2, 7],
] as const;

async function runSql(sql: string) {
  await using folder = await openPolicyFolder({
    "policy.toml": `name = "w"
version = "1"
[rollup]
chain_id = "rollup-1"
[[source]]
name = "w"
kind = "reference"
file = "w.csv"
columns = { address = "address", d = "integer", v = "integer" }
`,
    "w.csv": `address,d,v\n${rows.map((row) => row.join(",")).join("\n")}\n`,
    "policy.sql": sql,
  });
  const { table } = await folder.run();
  return Object.fromEntries([...table].map(({ account, score }) => [account, score]));
}

describe("a LEFT JOIN repeats rows although nobody reads its columns (duckdb 25213):", () => {
  test.each([
    "select address, count(*) as score from w left join (select address, unnest(list(d order by d)) from w group by address) using (address) group by address",
    "select address, count(*) as score from w left join (select address, unnest([1, 2]) from (select distinct address from w)) using (address) group by address",
    "with days as (select address, unnest(range(2)) as i from (select distinct address from w)) select w.address, count(*) as score from w left join days d on d.address = w.address group by w.address",
    "select w.address, count(*) as score from w full join (select address, unnest({'a': 1, 'b': [1, 2]}.b) from w group by address) b on b.address = w.address group by all",
  ])("%s", async (sql) => {
    expect(await runSql(sql)).toEqual({ [alice]: 4n, [bob]: 4n, [carol]: 4n });
  });
});

test("a join does not change what a LIMIT below it takes (duckdb 22963)", async () => {
  const sql = `with top as (select address, v from w order by v desc, address limit 1)
    select top.address, top.v as score from top join (select address from w where v = 8) a on a.address = top.address`;
  expect(await runSql(sql)).toEqual({});
});

test("a window takes each of several equal rows (duckdb 23588)", async () => {
  const sql = `with best as (
      select address from (select a.address, b.v from w a join w b on b.address = a.address where a.d = 1)
      qualify row_number() over (order by v desc) <= 4)
    select address, count(*) as score from best group by address`;
  expect(await runSql(sql)).toEqual({ [alice]: 2n, [bob]: 1n, [carol]: 1n });
});

test("a query that DuckDB's optimizer changes is refused, and no ORDER BY is blamed for it", async () => {
  // Of texts of one character, the optimizer takes the end of a part for the beginning.
  const sql = `select address, sum(length(substring(case when v > 8 then 'a' else 'b' end, -4294967296))) as score
    from w group by address`;
  for (const text of [sql, `${sql} order by score, address limit 5`]) {
    await expect(runSql(text)).rejects.toMatchObject({
      code: "POLICY_NOT_DETERMINISTIC",
      metaMessages: [expect.stringContaining("optimizer"), expect.not.stringContaining("key")],
    });
  }
});

test("of an ASOF JOIN, the key is named that is not unique", async () => {
  const sql = `select a.address, sum(b.v) as score from w a
    asof join (select d, v from w) b on a.d >= b.d group by a.address`;
  await expect(runSql(sql)).rejects.toMatchObject({
    code: "POLICY_NOT_DETERMINISTIC",
    metaMessages: [expect.stringMatching(/\bASOF JOIN\b/)],
  });
});
