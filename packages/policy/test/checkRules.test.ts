import { expect, test } from "vitest";
import { ScoreTable, type Account } from "@vipscore/core";
import { judgeRules, type RuleVerdict, type TeamAccount } from "../src/check/checkRules.ts";
import { exampleFiles, policyExamples, readPolicy } from "../src/index.ts";
import { parseSql } from "../src/run/syntaxTree.ts";
import { alice, bob, openPolicyFolder, pointsPolicy } from "./policyFolder.ts";

/** What a policy's `policy.toml` says besides its names. */
interface Written {
  /** Fields before the tables. */
  readonly settings?: string;
  /** Fields of the source `rows`. */
  readonly source: string;
  readonly sql?: string;
  readonly exclude?: string;
  readonly team?: readonly TeamAccount[];
}

const trades = `kind = "evm_events"\ncontracts = ["${bob}"]\nevent = "event Traded(address indexed trader, uint256 volume)"`;
const addresses = { "accounts.csv": `address\n${alice}\n`, "points.csv": pointsPolicy["points.csv"] };
const digest = "03f5c0001a09f486a0f8a68b4b804d0778c1ff090fb2bdc253e232b4eee413bb";

/** Judges a policy that gives Alice a score. */
async function judge({ settings = "", source, sql = "select 1 from rows", exclude = bob, team }: Written) {
  await using folder = await openPolicyFolder({
    ...addresses,
    "policy.toml": `name = "n"\nversion = "1"\nexclude = "exclude.csv"\n${settings}\n[rollup]\nchain_id = "rollup-1"\n[[source]]\nname = "rows"\n${source}\n`,
    "policy.sql": sql,
    "exclude.csv": `address\n${exclude}\n`,
  });
  const policy = await readPolicy(folder.path);
  const table = ScoreTable.from([{ account: alice, score: 7n }]);
  return judgeRules(policy, { table }, await parseSql(policy.sql), team);
}

const rule = (verdicts: readonly RuleVerdict[], number: number): RuleVerdict => verdicts[number - 1] ?? {};

test.each<readonly [number: number, what: string, written: Written, named: string]>([
  [5, "a file", { source: 'kind = "reference"\nfile = "points.csv"\ncolumns = { address = "address" }' }, "rows"],
  [
    5,
    "a file with a URL alone",
    {
      source:
        'kind = "reference"\nfile = "points.csv"\nurl = "https://example.org/p"\ncolumns = { address = "address" }',
    },
    "sha256",
  ],
  [7, "an empty exclude.csv", { source: trades, exclude: "" }, "exclude"],
  [7, "a score of the owner", { source: trades, team: [{ account: alice as Account, role: "owner" }] }, alice],
  [8, "gauge votes as events", { source: trades.replace("Traded", "GaugeVoted") }, "GaugeVoted"],
  [8, "gauge votes in the query", { source: trades, sql: "select gauge_votes from rows" }, "gauge_votes"],
  [9, "the native coin on EVM", { source: 'kind = "balances"\naccounts = "accounts.csv"' }, "native"],
  [9, "the native coin on Move", { source: 'kind = "balances"\ndenom = "umin"\naccounts = "accounts.csv"' }, "umin"],
  [
    9,
    "a plain token, in another spelling",
    {
      settings: 'plain_assets = ["0xC5EA55D90AE84E307622F1B8B13535EC3EFF0475"]',
      source: `kind = "balances"\ntoken = "${bob}"\naccounts = "accounts.csv"`,
    },
    bob,
  ],
  [
    9,
    "a bridged plain coin",
    { settings: 'plain_assets = ["l2/ab"]', source: 'kind = "balances"\ndenom = "l2/ab"\naccounts = "accounts.csv"' },
    "l2/ab",
  ],
  [
    9,
    "liquidity in a pool",
    { settings: `pools = ["${bob}"]`, source: trades.replace("Traded", "LiquidityAdded") },
    bob,
  ],
  [
    9,
    "liquidity in a pool on Wasm",
    {
      settings: `pools = ["${bob}"]`,
      source: `kind = "wasm_events"\ncontracts = ["init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6"]\nwhere = { action = "provide_liquidity" }`,
    },
    bob,
  ],
  [
    9,
    "liquidity in a pool on Move",
    {
      settings: `pools = ["${bob}"]`,
      source: `kind = "move_events"\ntype = "0x1::dex::ProvideEvent"\nwhere = { liquidity_token = "${bob}" }`,
    },
    bob,
  ],
  [
    9,
    "pool shares",
    { settings: `pools = ["${bob}"]`, source: `kind = "balances"\ntoken = "${bob}"\naccounts = "accounts.csv"` },
    bob,
  ],
])("rule %i forbids %s", async (number, _, written, named) => {
  const verdicts = await judge(written);
  expect(rule(verdicts, number).forbidden?.join()).toContain(named);
  // A violation of one rule is one of no other.
  expect(verdicts.flatMap(({ forbidden = [] }, index) => (forbidden.length > 0 ? [index + 1] : []))).toEqual([number]);
});

test.each<readonly [number: number, what: string, written: Written, named: string]>([
  [1, "the publication", { source: trades }, "forum"],
  [2, "the details", { source: trades }, "criteria"],
  [3, "the folder", { source: trades }, "audit"],
  [4, "other chains in a file", { source: published() }, "rows"],
  [5, "a published file", { source: published() }, "rows"],
  [
    5,
    "the choice of accounts",
    { source: `kind = "balances"\ntoken = "${bob}"\naccounts = "accounts.csv"` },
    "accounts.csv",
  ],
  [6, "referrals", { source: trades.replace("volume", "referrer_bonus") }, "referrer_bonus"],
  [7, "associates", { source: trades }, "1 excluded"],
  [8, "votes in a file", { source: published() }, "rows"],
  [9, "pools", { source: trades }, "pools"],
  [
    9,
    "transfers of a plain token",
    { settings: `plain_assets = ["${bob}"]\npools = []`, source: trades.replace("Traded", "Transfer") },
    bob,
  ],
  [
    9,
    "calls of a pool",
    { settings: `pools = ["${bob}"]`, source: `kind = "transactions"\ncontracts = ["${bob}"]` },
    "liquidity",
  ],
  [10, "another token", { source: `kind = "balances"\ntoken = "${bob}"\naccounts = "accounts.csv"` }, bob],
  [10, "holdings in a file", { source: published() }, "rows"],
  [10, "NFTs", { source: `kind = "nft_holdings"\ncollections = ["${bob}"]` }, bob],
  [10, "positions", { source: trades.replace("Traded", "Supplied") }, bob],
  [10, "transfers that add up", { source: trades.replace("Traded", "Transfer") }, bob],
])("rule %i asks a person about %s", async (number, _, written, named) => {
  const { forbidden = [], questions = [] } = rule(await judge(written), number);
  expect(forbidden).toEqual([]);
  expect(questions.join()).toContain(named);
});

function published(): string {
  return `kind = "reference"\nfile = "points.csv"\nurl = "https://example.org/p"\nsha256 = "${digest}"\ncolumns = { address = "address" }`;
}

test("what the policy answers is no question", async () => {
  const source = `kind = "balances"\ntoken = "${bob}"\naccounts = "accounts.csv"`;
  const settings = `pools = []\nproductive_assets = { "${bob}" = "staked INIT of a validator" }`;
  const verdicts = await judge({ settings, source });
  for (const number of [9, 10]) expect(rule(verdicts, number).questions).toEqual([]);
});

test("a source that the query does not read counts nothing", async () => {
  const verdicts = await judge({ source: 'kind = "balances"\naccounts = "accounts.csv"', sql: "select 1 as score" });
  expect(rule(verdicts, 9).forbidden).toEqual([]);
});

test.each([
  ["a swap in", trades.replace("Traded(address indexed trader", "Swap(address indexed provider")],
  [
    "a where that only looks like an address of",
    `kind = "move_events"\ntype = "0x1::dex::SwapEvent"\nwhere = { liquidity_token = "${bob}", x = "0xABCD" }`,
  ],
])("%s a named pool is no liquidity", async (_, source) => {
  const verdicts = await judge({ settings: `pools = ["${bob}"]`, source });
  expect(rule(verdicts, 9)).toMatchObject({ forbidden: [], questions: [] });
});

test.each([
  ['plain_assets = ["0x8Cad25ec80a10522c258e2f59abf0006c9445d1b"]', "plain_assets[1]"],
  ["plain_assets = [7]", "plain_assets[1]"],
  ['pools = "all"', "pools"],
  [`productive_assets = { "${bob}" = "" }`, "productive_assets"],
  [`plain_assets = ["${bob}"]\nproductive_assets = { "${bob}" = "staked" }`, bob],
])("refuses %s", async (settings, named) => {
  await expect(judge({ settings, source: trades })).rejects.toMatchObject({
    code: "POLICY_INVALID",
    message: expect.stringContaining(named),
  });
});

test.each([
  [`sha256 = "${"0".repeat(64)}"`, digest],
  ['sha256 = "AB"', "sha256"],
  ['url = "ftp://example.org"', "url"],
])("refuses a file with %s", async (settings, named) => {
  const source = `kind = "reference"\nfile = "points.csv"\n${settings}\ncolumns = { address = "address" }`;
  await expect(judge({ source })).rejects.toMatchObject({
    code: "POLICY_INVALID",
    message: expect.stringContaining(named),
  });
});

test("no example is against a rule once the team is excluded; before, rule 7 alone", async () => {
  for (const example of policyExamples) {
    for (const vm of ["evm", "move", "wasm"] as const) {
      const contract = vm === "move" ? "0xc5ea" : bob;
      const files = Object.fromEntries(
        await exampleFiles({ example, vm, chainId: "7", contract: example === "nft-holders" ? bob : contract }),
      );
      await using folder = await openPolicyFolder(files);
      const forbiddenRules = async (): Promise<readonly number[]> => {
        const policy = await readPolicy(folder.path);
        const verdicts = judgeRules(policy, { table: ScoreTable.from([]) }, await parseSql(policy.sql), undefined);
        return verdicts.flatMap(({ forbidden = [] }, index) => (forbidden.length > 0 ? [index + 1] : []));
      };
      expect(await forbiddenRules()).toEqual([7]);
      await folder.write({ "exclude.csv": `address,reason\n${alice},operator\n` });
      expect(await forbiddenRules()).toEqual([]);
    }
  }
});
