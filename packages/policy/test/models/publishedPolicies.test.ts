import { expect, test } from "vitest";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { judgeRules } from "../../src/check/checkRules.ts";
import { policyFormulas, readPolicy, runPolicy, type PolicySource, type SourceColumn } from "../../src/index.ts";
import { parseSql } from "../../src/run/syntaxTree.ts";
import { alice, bob, openPolicyFolder } from "../policyFolder.ts";
import { addTo, place, rowsSource } from "./exampleRun.ts";

// Policies of rollups on mainnet, from the formulas that they published (forum.initia.xyz, read 2026-11). The events, their names
// and all data are made up; amounts are in millionths, as uinit is.

const { pick, below } = seededRandom(fuzzSeed());
const int = (bound: number): bigint => BigInt(below(bound));
const carol = `0x${"ca".repeat(20)}`;
const accounts = [alice, bob, carol];
const million = 1_000_000n;

const column = (name: string, type: SourceColumn["type"] = "integer"): SourceColumn => ({ name, type });
const event = (name: string, signature: string): string =>
  `[[source]]\nname = "${name}"\nkind = "evm_events"\ncontracts = ["${bob}"]\nevent = "event ${signature}"\nstart_height = 1\n`;

/** Runs a policy over rows. Its query has a formula for each part, and breaks no rule that a program sees. */
async function scoresOf(
  sources: string,
  sql: string,
  rows: readonly PolicySource[],
): Promise<ReadonlyMap<string, bigint>> {
  await using folder = await openPolicyFolder({
    "policy.toml": `name = "n"\nversion = "1"\nexclude = "exclude.csv"\npools = []\n[rollup]\nchain_id = "rollup-1"\n${sources}`,
    "policy.sql": sql,
    "exclude.csv": `address\n0x${"7e".repeat(20)}\n`,
  });
  const policy = await readPolicy(folder.path);
  const result = await runPolicy(policy, rows, { spill: folder.path });
  const verdicts = judgeRules(policy, result, await parseSql(sql), []);
  expect(verdicts.flatMap(({ forbidden = [] }) => forbidden)).toEqual([]);
  const { formulas } = await policyFormulas(policy);
  expect(formulas.filter((formula) => "lacks" in formula)).toEqual([]);
  return new Map([...result.table].map(({ account, score }) => [account, score]));
}

/**
 * A launchpad for NFTs with weights: Intergaze. A featured mint has 10 points and 4 for each INIT (t/341), another 1 for each INIT;
 * a purchase 1 and a sale 0.5 for each INIT, and a holder of the epoch's pass 50% more (t/275); mints, sales and purchases add up
 * before that (t/372).
 */
test("a launchpad with weights", async () => {
  const sources =
    event("mints", "Minted(address indexed minter, uint256 spent, bool featured)") +
    event("trades", "Sold(address indexed buyer, address indexed seller, uint256 price)") +
    event("passes", "PassBought(address indexed account)");
  const sql = `with points(account, millionths) as (
      select minter, case when featured then 10 * 1000000 + 4 * spent else spent end from mints
      union all select buyer, price from trades
      union all select seller, price // 2 from trades
    ), booster(account, percent) as (
      select account, 50 * least(count(*), 1) from passes group by account
      union all select account, 0 from points group by account
    ), total(account, millionths) as (select account, sum(millionths) from points group by account),
    boosted(account, percent) as (select account, 100 + sum(percent) from booster group by account)
    select total.account as address, millionths * percent // 100000000 as score
    from total join boosted on total.account = boosted.account`;
  const mints = Array.from(
    { length: 60 },
    () => [pick(accounts), int(90) * million + int(1000), pick([true, false])] as const,
  );
  const trades = Array.from({ length: 60 }, () => [pick(accounts), pick(accounts), int(500) * 2n * 1000n] as const);
  const passes = [[alice], [alice]] as const;
  const model = new Map<string, bigint>();
  for (const account of accounts) {
    // Halves of a millionth, and halves of it for the pass.
    let quarters = 0n;
    for (const [minter, spent, featured] of mints) {
      if (minter === account) quarters += 4n * (featured ? 10n * million + 4n * spent : spent);
    }
    for (const [buyer, seller, price] of trades) {
      if (buyer === account) quarters += 4n * price;
      if (seller === account) quarters += 2n * price;
    }
    if (account === alice) quarters += quarters / 2n;
    model.set(account, quarters / 4n / million);
  }
  const found = await scoresOf(sources, sql, [
    rowsSource("mints", [column("minter", "address"), column("spent"), column("featured", "boolean")], mints),
    rowsSource("trades", [column("buyer", "address"), column("seller", "address"), column("price")], trades),
    rowsSource("passes", [column("account", "address")], passes),
  ]);
  expect(found).toEqual(model);
});

/**
 * A lender that moves to time weighting: Inertia. Before, supplied amounts count 2 and borrowed ones 1 at the end (t/63); from stage 4
 * also how long they stay (t/258). That post has no formula for it: here it is the share of the stage's 1,209,600 seconds, which the
 * one of stage 9 divides by (t/367).
 */
test("a move to time weighting", async () => {
  const sources = event("changes", "Changed(address indexed account, bool borrowed, int256 amount)");
  const [start, end, length] = [1_000_000n, 2_209_600n, 1_209_600n];
  const before = `select account as address, sum(case when borrowed then 1 else 2 end * amount) // 1000000 as score
    from changes group by account`;
  const after = `select account as address,
      sum(case when borrowed then 1 else 2 end * amount * (${end} - greatest(time, ${start}))) // ${length} // 1000000 as score
    from changes group by account`;
  // Alice and Bob open positions before the stage, and reduce them in it; Carol's does not change.
  const positions = accounts.flatMap((account) =>
    [false, true].flatMap((borrowed) => {
      const amount = (1n + int(5000)) * million;
      const opened = { account, borrowed, amount, time: int(1_000_000) };
      const reduced = { account, borrowed, amount: -amount / 3n, time: start + 1n + int(1_209_000) };
      return account === carol ? [opened] : [opened, reduced];
    }),
  );
  const rows = rowsSource(
    "changes",
    [column("account", "address"), column("borrowed", "boolean"), column("amount"), place("time")],
    positions.map(({ account, borrowed, amount, time }) => [account, borrowed, amount, time]),
  );
  // What each account holds between two changes, for as many seconds of the stage as there are between them.
  const [atEnd, integral] = [new Map<string, bigint>(), new Map<string, bigint>()];
  for (const account of accounts) {
    const own = positions.filter((each) => each.account === account);
    const times = [start, end, ...own.map(({ time }) => time).filter((time) => time > start)].sort((one, other) =>
      Number(one - other),
    );
    const heldAt = (now: bigint): bigint =>
      own
        .filter(({ time }) => time <= now)
        .reduce((sum, { borrowed, amount }) => sum + (borrowed ? amount : 2n * amount), 0n);
    for (const [index, time] of times.entries())
      addTo(integral, account, heldAt(time) * ((times[index + 1] ?? end) - time));
    atEnd.set(account, heldAt(end) / million);
  }
  const weighted = new Map([...integral].map(([account, sum]) => [account, sum / length / million]));
  expect(await scoresOf(sources, before, [rows])).toEqual(atEnd);
  const found = await scoresOf(sources, after, [rows]);
  expect(found).toEqual(weighted);
  // What was there the whole stage keeps its score.
  expect(found.get(carol)).toBe(atEnd.get(carol));
  expect(found.get(alice)).not.toBe(atEnd.get(alice));
});

/** A game that scores one currency × 100: Civitia's SILVER, but for referrals (docs.civitia.org, Initia VIP; t/58). */
test("a game that scores one currency × 100", async () => {
  const sources = event("silver", "SilverEarned(address indexed player, uint256 amount, string reason)");
  const sql = `select player as address, sum(amount) * 100 // 1000000 as score
    from silver where reason in ('rent', 'mint') group by player`;
  const rows = Array.from(
    { length: 200 },
    () => [pick(accounts), int(3_000_000), pick(["rent", "mint", "referral"])] as const,
  );
  const model = new Map<string, bigint>();
  for (const [player, amount, reason] of rows) if (reason !== "referral") addTo(model, player, amount);
  for (const [player, silver] of model) model.set(player, (silver * 100n) / million);
  const columns = [column("player", "address"), column("amount"), column("reason", "text")];
  expect(await scoresOf(sources, sql, [rowsSource("silver", columns, rows)])).toEqual(model);
});
