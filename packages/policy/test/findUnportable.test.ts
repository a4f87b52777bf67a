import { describe, expect, test } from "vitest";
import { exampleFiles, findUnportable, type SourceColumn } from "../src/index.ts";
import { alice } from "./policyFolder.ts";

const columns: readonly SourceColumn[] = [
  { name: "trader", type: "address" },
  { name: "volume", type: "integer" },
  { name: "time", type: "integer", stored: "bigint" },
];

const find = async (sql: string) => {
  const found = await findUnportable(sql, [{ columns }]);
  return found.map(({ place, what }) => `${place} ${what}`);
};
const points = (value: string) => find(`select trader as address,\n${value} as score\nfrom trades group by trader`);

test.each([
  ["volume", []],
  ["game", []],
  ["nft-holders", []],
  ["lending", ["policy.sql:11 //"]],
] as const)("the example %s", async (example, expected) => {
  const files = await exampleFiles({ example, vm: "evm", chainId: "1", contract: alice });
  expect(await find(files.get("policy.sql") ?? "")).toEqual(expected);
});

test("everything that other engines are tested with is portable", async () => {
  const sql = `-- a "comment" with // and /*
with big(trader, most) as (
  select trader, max(volume) from trades where not (volume in (1, 2)) and time between 0 and 5000000000 group by trader
)
select b.trader as address, sum(case when points > 1 and 'a//b' <> 'it''s "x" /*' then points else -1 end) as score
from (select distinct trader, row_number() over (partition by trader order by time) as points from trades) as a
inner join big as b on a.trader = b.trader
cross join (values (1, true)) as t(one, two)
where two and a.trader in (select trader from big)
group by b.trader
having count(distinct points) % 2 = least(0, 1) or count(*) >= abs(-3)
order by address
limit 10`;
  expect(await find(sql)).toEqual([]);
});

test.each([
  ["sum(volume) // 10", "//"],
  ["sum(volume) / 10", "/"],
  ["sum(volume)::hugeint", "cast"],
  ["sum(volume * 1.5)", "point"],
  ["sum(volume) filter (where time > 1)", "FILTER"],
  ["sum(case when time > 1 then volume end)", "CASE"],
  ["coalesce(sum(volume), 0)", "coalesce"],
  ["sum(distinct volume)", "distinct"],
  ["list_sum(list(volume order by time))", "list_sum"],
  ["count(*) * case when max(trader) = 'a\\b' then 1 else 2 end", "backslash"],
  ["sum(volume) + 12345678901234567890", "HUGEINT"],
  ["sum(volume) + (select 1)", "scalar"],
  ['sum("volume")', '"'],
  ["/* sum */ sum(volume)", "/*"],
])("%s is found with its line", async (value, what) => {
  const found = await points(value);
  expect(found.filter((text) => text.startsWith("policy.sql:2 ") && text.includes(what))).not.toEqual([]);
});

describe("what differs in a query is found:", () => {
  test.each([
    ["select trader as address, sum(volume) as score from trades group by all", "GROUP BY ALL"],
    ["select trader as address, 1 as score from trades qualify row_number() over (order by time) = 1", "QUALIFY"],
    ["select trader as address, 1 as score from trades left join other using (trader)", "join"],
    ["select trader as address, 1 as score from trades semi join other using (trader)", "join"],
    ["select distinct on (trader) trader as address, 1 as score from trades order by time", "DISTINCT ON"],
    ["select trader as address, 1 as score from trades union select 'a', 2", "UNION"],
    ["select trader as address, 1 as score from trades except all select 'a', 2", "EXCEPT"],
    ["select 'a' as address, sum(volume) as score from trades", "GROUP BY"],
    ["select trader as address, sum(volume) as score from trades group by rollup (trader)", "ROLLUP"],
    ["select * exclude (time) from trades", "EXCLUDE"],
    ["select 'a' as address, i as score from range(3) t(i)", "table function"],
    [
      "with recursive r(i) as (select 1 union all select i from r) select 'a' as address, i as score from r",
      "recursive",
    ],
    ["select 'a' as address, sum(volume) over (rows 1 preceding) as score from trades", "frame"],
    ["select trader as address, sum(volume) as score from trades group by trader limit 5%", "limit percent"],
  ])("%s", async (sql, what) => {
    expect((await find(sql)).filter((text) => text.includes(what))).not.toEqual([]);
  });
});

describe("a new value with a column's name", () => {
  test.each([
    ["a source's", "select trader as address, volume + 1 as volume from trades where volume > 5"],
    [
      "another SELECT's",
      "with d as (select trader, 1 as n from trades) select trader as address, n + 1 as n from d order by n",
    ],
    ["a WITH's", "with d(trader, n) as (select trader, 1 from trades) select trader as address, n + 1 as n from d"],
  ])("is found if it is %s", async (_, sql) => {
    expect(await find(sql)).toEqual([expect.stringMatching(/"(?:volume|n)"/)]);
  });

  test("is fine if it is that column, or nothing reads it", async () => {
    expect(await find("select trader, volume as volume from trades where volume > 5")).toEqual([]);
    expect(await find("select trader as address, time + 1 as volume from trades")).toEqual([]);
  });
});
