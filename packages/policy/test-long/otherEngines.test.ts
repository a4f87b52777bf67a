import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseAccount, ScoreTable } from "@vipscore/core";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { pythonEnvironment } from "@vipscore/testkit/pythonEnvironment";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import {
  exampleFiles,
  findUnportable,
  readPolicy,
  runPolicy,
  sourceViews,
  type PolicySource,
  type SourceColumn,
  type SourceData,
  type SourceRow,
} from "../src/index.ts";
import { place, rowsSource } from "../test/models/exampleRun.ts";
import { alice, openPolicyFolder } from "../test/policyFolder.ts";

const here = import.meta.dirname;
const engines = [
  ["clickhouse", "runClickHouse.py"],
  ["spark", "runSpark.py"],
] as const;

/** Every part of SQL that docs/policy.md calls portable. */
const everything = `-- a "comment" with // and /*
with big(trader, most) as (
  select trader, max(volume) from trades where not (volume in (1, 2)) and time between 0 and 5000000000 group by trader
), numbered as (
  select trader, time, volume,
    row_number() over (partition by trader order by time, volume) as r,
    rank() over (order by trader) as k,
    dense_rank() over (order by trader) as d,
    sum(volume) over (partition by trader order by time, volume) as running,
    min(time) over (partition by trader) as earliest,
    max(time) over (partition by trader) as latest,
    count(*) over (partition by trader) as times
  from trades
)
select n.trader as address,
  sum(case when action = 'it''s "x" // /*' then points * r when is_big and n.trader >= '0x8' then 7 else 1 end)
  + count(distinct k) * 3 + sum(d % 5) + max(latest - earliest) - min(times) + abs(-1 * greatest(1, 2))
  + least(sum(running), 1000000000000000) as score
from numbered as n
inner join big as b on n.trader = b.trader
cross join (values ('it''s "x" // /*', 2, true), ('other', 3, false)) as w(action, points, is_big)
where n.trader in (select trader from big) and n.trader not in (select trader from trades where volume = 0) or w.points <> 2
group by n.trader
having count(*) > 0 and (min(time) <= 1700000000 or max(time) > 0)
union all
select distinct contract as address, 5 as score from trades
order by address
limit 100000`;

const owner = `0x${"ee".repeat(20)}`;

const folder = temporaryFolder("vipscore it's a folder");
let programs: string;
let sources: readonly PolicySource[];
let collected: readonly SourceData[];

beforeAll(async () => {
  programs = await pythonEnvironment(join(here, "../.build/engines"), join(here, "engines/requirements.txt"));
  const random = seededRandom(fuzzSeed());
  const account = (): string => `0x${random.below(500).toString(16).padStart(40, "8")}`;
  const rows = Array.from({ length: 5000 }, (_, index): SourceRow => {
    const volume = 10n ** BigInt(random.below(34)) * BigInt(random.below(9));
    return [BigInt(index), 1_700_000_000n + BigInt(index * 40), owner, account(), volume];
  });
  const actions = rows.map((): SourceRow => [account(), random.pick(["quest", "match", "login", "chat", ""])]);
  sources = [
    rowsSource(
      "trades",
      [place("height"), place("time"), text("contract"), text("trader"), { name: "volume", type: "integer" }],
      rows,
    ),
    rowsSource("actions", [text("player"), text("action")], actions),
    rowsSource("nothing", [text("player"), { name: "points", type: "integer" }], []),
  ];
  collected = await Promise.all(sources.map((one) => one.collect({ folder })));
});

const text = (name: string): SourceColumn => ({ name, type: "text" });

/** What DuckDB gives for a query. */
async function digestOf(sql: string): Promise<string> {
  await using policyFolder = await openPolicyFolder();
  const policy = await readPolicy(policyFolder.path);
  return (await runPolicy({ ...policy, sql }, sources)).table.digest();
}

describe.each(engines)("%s", (engine, program) => {
  const run = (queries: readonly string[]): readonly (readonly (readonly string[])[])[] => {
    const statements = collected.map((one) => sourceViews(one)[engine].replace(/;$/, ""));
    const { stdout, stderr, status, error } = spawnSync(join(programs, "python"), [join(here, "engines", program)], {
      input: JSON.stringify({ statements, queries }),
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    if (error !== undefined) throw error;
    if (status !== 0) throw new Error(`${program} ended with status ${status}: ${stderr.slice(-4000)}`);
    return JSON.parse(stdout) as readonly (readonly (readonly string[])[])[];
  };

  test("gives the scores of portable queries", async () => {
    const queries = [everything];
    for (const example of ["volume", "game"] as const) {
      const files = await exampleFiles({ example, vm: "evm", chainId: "1", contract: alice });
      queries.push(files.get("policy.sql") ?? "");
    }
    queries.push("select player as address, sum(points) as score from nothing group by player");
    const results = run(queries);
    for (const [index, sql] of queries.entries()) {
      expect(await findUnportable(sql, sources)).toEqual([]);
      const table = ScoreTable.from(
        (results[index] ?? []).map(([address = "", score = ""]) => ({
          account: parseAccount(address, { accountBytes: [20, 32] }),
          score: BigInt(score),
        })),
      );
      expect({ index, digest: table.digest() }).toEqual({ index, digest: await digestOf(sql) });
    }
  });
});
