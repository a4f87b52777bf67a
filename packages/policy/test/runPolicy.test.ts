import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { formatScores } from "@vipscore/core";
import { alice, bob, bobBech32, openPolicyFolder, pointsPolicy } from "./policyFolder.ts";
import { refusals } from "./refusals.ts";

async function runSql(sql: string, files: Readonly<Record<string, string>> = {}, options = {}) {
  await using folder = await openPolicyFolder({ "policy.sql": sql, ...files });
  const before = await readdir(folder.path);
  try {
    return await folder.run({ seconds: 60, memoryMiB: 512, ...options });
  } finally {
    expect(await readdir(folder.path)).toEqual(before);
  }
}

const refusalOf = refusals();

describe("a good policy", () => {
  test("gives the same scores and digests in two folders and at every run", async () => {
    await using one = await openPolicyFolder();
    await using other = await openPolicyFolder();
    const results = [await one.run(), await one.run(), await other.run()];
    const [first] = results;
    expect([...first!.table]).toEqual([
      { account: alice, score: 6n },
      { account: bob, score: 7n },
    ]);
    for (const { table, ...facts } of results) {
      expect(table.digest()).toBe(first!.table.digest());
      const { table: _, ...firstFacts } = first!;
      expect(facts).toEqual(firstFacts);
    }
    expect(first!.sources).toEqual([
      { name: "points", kind: "reference", rows: 3, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(first!.duckdb).toMatch(/^v\d/);
  });

  test("removes the accounts that it excludes and lists those that had a score", async () => {
    const operator = `0x${"22".repeat(20)}`;
    const { table, excluded } = await runSql(pointsPolicy["policy.sql"], {
      "policy.toml": `exclude = "exclude.csv"\n${pointsPolicy["policy.toml"]}`,
      "exclude.csv": `address,why\n${bobBech32},team\n${operator},operator\n`,
    });
    expect([...table]).toEqual([{ account: alice, score: 6n }]);
    expect(excluded).toEqual([{ account: bob, score: 7n }]);
  });

  test.each([
    [
      "comments and a trailing semicolon",
      `-- points\n/* ; select 2 */ select address, sum(points)::bigint as score from points group by all; -- end\n`,
    ],
    [
      "WITH, joins, windows with an order and integer tables",
      `with total as (select address, sum(points) as score from points group by address)
      select t.address, cast(max(t.score) + count(*) - count(*) as ubigint) as score from total t cross join range(3) r(i) group by t.address`,
    ],
    ["a decimal without fraction", "select address, sum(points)::decimal(38,0) as score from points group by address"],
    ["addresses as bytes", "select from_hex(address[3:]) as address, sum(points) as score from points group by all"],
    [
      "addresses in other spellings that functions give",
      `select case address when '${bob}' then '0x' || upper(address[3:]) else address end as address, sum(points) as score from points group by all`,
    ],
    [
      "a recursion that ends",
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) select address, sum(points)::hugeint as score from points where (select count(*) from n) = 5 group by address",
    ],
    ["a column that is called user", `select "user".address, sum(points) as score from points "user" group by all`],
  ])("may have %s", async (_, sql) => {
    const { table } = await runSql(sql);
    expect(table.total).toBe(13n);
  });

  test("may give no rows", async () => {
    const { table } = await runSql("select address, points as score from points where false");
    expect(table.size).toBe(0);
  });

  test("may give the largest scores, and zeros", async () => {
    const { table } = await runSql(
      `select * from (values ('${alice}', 18446744073709551615::uhugeint), ('${bob}', 0)) t(address, score)`,
    );
    let csv = "";
    for await (const piece of formatScores([table])) csv += piece;
    expect(csv).toContain(",18446744073709551615\n");
    expect(table.size).toBe(2);
  });

  test("may call a source like a keyword", async () => {
    const { table } = await runSql(`select address, sum(points) as score from "select" group by all`, {
      "policy.toml": pointsPolicy["policy.toml"].replace('"points"\nkind', '"select"\nkind'),
    });
    expect(table.total).toBe(13n);
  });
});

describe("a query that reads something other than its sources is refused:", () => {
  test.each([
    "select * from read_csv('/etc/passwd')",
    "select content as address, 1 as score from read_text('/etc/passwd')",
    "select file as address, 1 as score from glob('/etc/*')",
    "select * from '/etc/passwd'",
    "select * from 'points.csv'",
    "select * from parquet_scan('x.parquet')",
    "attach '/tmp/policy.db'",
    "copy points to '/tmp/points.csv'",
    "copy (select 1) to '/tmp/points.csv'",
    "install httpfs",
    "load httpfs",
    "set threads = 1",
    "reset threads",
    "pragma version",
    "pragma database_list",
    "call pragma_version()",
    "select * from pragma_version()",
    "select name as address, 1 as score from duckdb_settings()",
    "select * from duckdb_tables",
    "select * from sqlite_master",
    "select * from information_schema.tables",
    "select * from pg_catalog.pg_class",
    "select * from main.points",
    "with duckdb_tables as (select 1) select * from duckdb_tables",
    "select * from query('select 1')",
    "select * from query_table('points')",
    "show tables",
    "describe points",
    "summarize points",
    "explain select 1",
    "select 1; select 2",
    `${pointsPolicy["policy.sql"]}; drop table points`,
    "create table t (i int)",
    "create macro f() as 1",
    "create function f() as 1",
    "create sequence s",
    "insert into points values ('a', 1)",
    "update points set points = 1",
    "delete from points",
    "drop table points",
    "begin transaction",
    "checkpoint",
    "export database '/tmp/policy'",
    "vacuum",
    "prepare p as select 1",
    "pivot points on address using sum(points)",
    "select address, getvariable('x') as score from points",
    "select address, points + $1 as score from points",
    "-- nothing\n",
    "",
  ])("%s", async (sql) => {
    expect(await refusalOf(sql)).toMatchObject({ code: "POLICY_REFUSED" });
  });
});

describe("a query whose value changes is refused:", () => {
  test.each([
    "random()",
    "RANDOM()",
    "system.main.random()",
    `"random"()`,
    "epoch_ms(now())",
    "epoch_ms(current_timestamp::timestamp)",
    "year(current_date)",
    "year(today())",
    "hour(localtime)",
    "year(localtimestamp)",
    "year(current_localtimestamp())",
    "year(get_current_timestamp()::timestamp)",
    "year(transaction_timestamp()::timestamp)",
    "year(age(timestamp '2020-01-01'))",
    "year(ago(interval 1 year)::timestamp)",
    "hash(uuid())::hugeint",
    "hash(gen_random_uuid())::hugeint",
    "nextval('s')",
    "currval('s')",
    "setseed(0.5)",
    "txid_current()",
    "length(current_query())",
    "length(current_setting('threads'))",
    "length(version())",
    "approx_count_distinct(points) over ()",
    "(select random() from points)",
  ])("%s", async (expression) => {
    const sql = `select address,\n  (${expression})::hugeint as score from points`;
    expect(await refusalOf(sql)).toMatchObject({
      code: "POLICY_REFUSED",
      shortMessage: expect.stringMatching(/^policy\.sql:2\b/),
    });
  });

  test.each([
    "select address, points as score from points tablesample 50%",
    "select address, points as score from points using sample 1",
    "select address, points as score from (select * from points using sample 50 percent (bernoulli))",
  ])("%s", async (sql) => {
    expect(await refusalOf(sql)).toMatchObject({ code: "POLICY_REFUSED" });
  });
});

test("a query that nests too deeply is an error of the policy", async () => {
  const nested = [
    `select ${"(".repeat(100_000)}1${")".repeat(100_000)} as score`,
    `${"select * from (".repeat(5000)}select 1${")".repeat(5000)}`,
    `select ${"1+".repeat(50_000)}1`,
  ];
  for (const sql of nested) await expect(runSql(sql)).rejects.toMatchObject({ code: "POLICY_INVALID" });
});

test("a function that DuckDB does not have is an error of the policy", async () => {
  await expect(runSql("select getenv('HOME') as address, 1 as score")).rejects.toMatchObject({
    code: "POLICY_REFUSED",
  });
  await expect(runSql("selec 1")).rejects.toMatchObject({ code: "POLICY_INVALID" });
  await expect(runSql("select nothing as address, 1 as score from points")).rejects.toMatchObject({
    code: "POLICY_INVALID",
  });
});

describe("rows that are not scores are refused:", () => {
  test.each([
    ["a float", "select address, 1.0::double as score from points"],
    ["a quotient", "select address, sum(points) / 2 as score from points group by all"],
    ["a decimal with a fraction", "select address, sum(points)::decimal(20,2) as score from points group by all"],
    ["text", "select address, '1' as score from points"],
    ["a boolean", "select address, true as score from points"],
    ["a score below 0", `select '${alice}' as address, -1 as score`],
    ["a score above u64", `select '${alice}' as address, 18446744073709551616 as score`],
    [
      "a total above u64",
      `select * from (values ('${alice}', 18446744073709551615::uhugeint), ('${bob}', 1)) t(address, score)`,
    ],
    ["a null score", `select '${alice}' as address, null::int as score`],
    ["a null address", "select null::varchar as address, 1 as score"],
    ["text that is not an address", "select 'alice' as address, 1 as score"],
    ["the zero address", `select '0x${"0".repeat(40)}' as address, 1 as score`],
    ["a number as an address", "select 1 as address, 1 as score"],
    ["bytes of another length", "select 'abc'::blob as address, 1 as score"],
    ["other columns", "select address, points from points"],
    ["the columns in another order", "select points as score, address from points"],
    ["a third column", "select address, points as score, 1 as more from points"],
    ["an account twice", "select address, points as score from points"],
  ])("%s", async (_, sql) => {
    await expect(runSql(sql)).rejects.toMatchObject({ code: "POLICY_REFUSED" });
  });

  test("an account in two spellings, with both named", async () => {
    const sql = `select * from (values ('${bob}', 1), ('0x' || upper('${bob.slice(2)}'), 2)) t(address, score)`;
    await expect(runSql(sql)).rejects.toMatchObject({
      code: "POLICY_REFUSED",
      shortMessage: expect.stringMatching(new RegExp(`${bob}\\b.*\\b0x${bob.slice(2).toUpperCase()}`)),
    });
  });

  test("a fraction, with the cast to write", async () => {
    await expect(runSql("select address, max(points) * 0.5 as score from points group by all")).rejects.toMatchObject({
      shortMessage: expect.stringContaining("DECIMAL"),
      metaMessages: [expect.stringContaining("cast(")],
    });
  });
});

describe("a query without end is stopped:", () => {
  test.each([
    [
      "a recursion",
      "with recursive n(i) as (select 1 union all select (i + 1) % 1000 from n) select i::varchar as address, 1 as score from n where i < 0",
      { seconds: 1 },
    ],
    [
      "a cross join of 10^12 rows that counts",
      "select (count(*) + sum(a.range * b.range % 2))::varchar as address, 1 as score from range(1000000) a, range(1000000) b",
      { seconds: 1 },
    ],
    [
      "a cross join of 10^12 rows that returns them",
      "select '0x' || lpad(to_hex(1 + a.range * 1000000 + b.range), 40, '0') as address, 1 as score from range(1000000) a, range(1000000) b",
      { maxRows: 10_000 },
    ],
    [
      "a list that needs more memory",
      "select list_sort(list(a.range * b.range))::varchar as address, 1 as score from range(1000000) a, range(1000000) b",
      { memoryMiB: 512, spillMiB: 64 },
    ],
  ])("%s", async (_, sql, options) => {
    await expect(runSql(sql, {}, options)).rejects.toMatchObject({ code: "POLICY_LIMIT" });
  });

  test.each([
    "length(repeat('x', 3000000000))",
    "len(range(500000000))",
    "levenshtein(repeat('ab', 100000), repeat('cd', 100000))",
  ])("one call: %s", async (call) => {
    const sql = `select '${alice}' as address, ${call} as score from points`;
    await expect(runSql(sql, {}, { seconds: 2 })).rejects.toMatchObject({ code: "POLICY_LIMIT" });
  });

  test("by the signal, with its reason", async () => {
    const sql =
      "select (count(*) + sum(a.range * b.range % 2))::varchar as address, 1 as score from range(1000000) a, range(1000000) b";
    const reason = new Error("enough");
    await expect(runSql(sql, {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const abort = new AbortController();
    const run = runSql(sql, {}, { signal: abort.signal });
    setImmediate(() => abort.abort(reason));
    await expect(run).rejects.toBe(reason);
  });
});
