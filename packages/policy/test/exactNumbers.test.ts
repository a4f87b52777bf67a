import { describe, expect, test } from "vitest";
import { alice, bob, openPolicyFolder } from "./policyFolder.ts";
import { refusals } from "./refusals.ts";

const refusalOf = refusals();
const all = (expression: string) => `select address,\n ${expression} as score from points`;
const grouped = (expression: string) => `${all(expression)} group by address`;

describe("a float on the way to a score is refused with its line:", () => {
  test.each([
    grouped("cast(floor(median(points)) as hugeint)"),
    grouped("cast(median(points::decimal(38, 0)) as hugeint)"),
    grouped("cast(floor(sum(points) / 1000000000000000000) as hugeint)"),
    grouped("floor(max(points))::hugeint"),
    grouped("ceil(sum(points))::hugeint"),
    grouped("cast(sum(points) as double)::hugeint"),
    grouped("sum(points)::float::hugeint"),
    grouped("sum(points)::real::decimal(38, 0)"),
    grouped("sum(points)::varchar::double::hugeint"),
    grouped("try_cast(sum(points) as double)::hugeint"),
    grouped("(sum(points) // 1e18)::hugeint"),
    grouped("sum(points) filter (points >= 1e18)"),
    grouped("sum(case when points > 1e18 then 1 else 0 end)"),
    grouped("count(distinct points / 3)"),
    grouped("sum((points / 3.0)::decimal(38, 6))::bigint"),
    grouped("length(cast(sum(points) / 3 as decimal(38, 6))::varchar)"),
    all("1e23::hugeint"),
    all("sqrt(points)::hugeint"),
    all("floor(sqrt(points))::hugeint"),
    all("floor(sqrt(points::bigint))::hugeint"),
    all("floor(sqrt(points::uinteger) * 2)::hugeint"),
    all("(sqrt(points::uinteger) * sqrt(points::uinteger))::hugeint"),
    all("len(list_filter([points], lambda x: x * 1e0 > 5))"),
    all("list_transform([points], lambda x: floor(x)::hugeint)[1]"),
    all("list_sum([points, 0e0])::hugeint"),
    all("{'a': points * 1e0}.a::hugeint"),
    all("(select max(points) * 1e0 from points)::hugeint"),
    all("points * date_part('epoch', to_timestamp(0))::hugeint"),
    all("epoch_ms(to_timestamp(points))"),
    all("(percent_rank() over (order by points) * 100)::hugeint"),
    all("greatest(points, 0.5::double)::hugeint"),
    "with t as (select address,\n floor(points) as p from points) select address, p::hugeint as score from t",
    "select address, points as score from points where\n points > 5e17",
    "select address, sum(points) as score from points group by address having\n sum(points) >= 1e18",
    "select a.address, 1 as score from points a join points b on\n a.points * 1e0 = b.points",
    "select address, x::hugeint as score from points, lateral (select\n points * 1e0 as x)",
    "select address, x::hugeint as score from points, unnest([\n1.5e0]) u(x)",
    "select address, points as score from points qualify\n row_number() over (order by points * 1e0, address) = 1",
    "select address, max(points) as score from points group by address,\n points * 1e0",
    "select * from (values ('0x1',\n 1e18::hugeint)) t(address, score)",
  ])("%s", async (sql) => {
    expect(await refusalOf(sql)).toMatchObject({
      code: "POLICY_REFUSED",
      shortMessage: expect.stringMatching(/^policy\.sql(?::2)? /),
      metaMessages: [expect.stringMatching(/\S/)],
    });
  });
});

describe("exact to the last digit:", () => {
  test.each([
    ["the middle one of amounts", "quantile_disc(points, 0.5)", 1234567890123456789n],
    ["a quotient", "sum(points) // 2", 617283945061728394n],
    ["more digits of a quotient", "sum(points) * 10 // 4", 3086419725308641972n],
    ["a weight with a fraction", "floor(sum(points) * 1.5)::hugeint", 1851851835185185183n],
    ["a bound", "sum(case when points >= 1234567890123456789 then points else 0 end)", 1234567890123456789n],
    ["a rounded decimal", "round(sum(points)::decimal(38, 2) * 0.5)::hugeint", 617283945061728395n],
    ["a root of 32 bits", "floor(sqrt(cast(sum(points) // 1000000000 as uinteger)))::hugeint", 35136n],
    ["a day", "max(epoch_ms(date_trunc('day', to_timestamp(86401))) // 1000)", 86400n],
  ])("%s", async (_, expression, score) => {
    await using folder = await openPolicyFolder({
      "points.csv": `address,points\n${alice},1234567890123456789\n${bob},0\n`,
      "policy.sql": `select address, ${expression} as score from points where address = '${alice}' group by address`,
    });
    const { table } = await folder.run();
    expect(table.total).toBe(score);
  });
});

test("a sum that passes 38 digits in one order of the rows is named as that", async () => {
  const most = "9".repeat(38);
  await using folder = await openPolicyFolder({
    "points.csv": `address,points\n${alice},${most}\n${alice},${most}\n${alice},-${most}\n${alice},-${most}\n`,
  });
  await expect(folder.run()).rejects.toMatchObject({
    code: "POLICY_INVALID",
    shortMessage: expect.stringContaining("38 digits"),
    metaMessages: [expect.stringMatching(/\border\b.*\brows\b/)],
  });
});
