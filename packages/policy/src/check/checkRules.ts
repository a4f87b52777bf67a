import type { Account, ScoreRow } from "@vipscore/core";
import { assetName, type Policy } from "../policy.ts";
import type { PolicyResult } from "../run/runPolicy.ts";
import { textOf, walkTree, type TreeNode } from "../run/syntaxTree.ts";
import { isOfChain, type SourceDefinition } from "../sources/sourceDefinition.ts";

/** Where VIP publishes its ten rules for scores, and the month of the copy that these checks follow. */
export const vipRules = { url: "https://docs.initia.xyz/home/core-concepts/vip/scoring", asOf: "2025-09" } as const;

/** An account of the team, and what it does: `owner`, `member`, `operator`. */
export interface TeamAccount {
  readonly account: Account;
  readonly role: string;
}

/** What is against a rule, and what only a person can answer; of neither, nothing. */
export interface RuleVerdict {
  readonly forbidden?: readonly string[];
  readonly questions?: readonly string[];
  /** What the program saw that is as it should be. */
  readonly ok?: string;
  readonly fix?: readonly string[] | undefined;
  readonly accounts?: readonly ScoreRow[] | undefined;
}

/**
 * Judges a policy by each of VIP's ten rules ({@link vipRules}), as far as its sources and the syntax tree of its query show it.
 *
 * @param tree The syntax tree of the policy's query.
 * @param team The accounts that write the scores; undefined if no contract is known.
 * @returns The verdicts on the rules 1 to 10, in their order.
 */
export function judgeRules(
  policy: Policy,
  result: Pick<PolicyResult, "table">,
  tree: TreeNode,
  team: readonly TeamAccount[] | undefined,
): readonly RuleVerdict[] {
  const nodes = [...walkTree(tree)];
  const tables = new Set(nodes.map((node) => textOf(node, "table_name").toLowerCase()));
  const sources = policy.sources.filter(({ name }) => tables.has(name));
  const files = sources.filter((source) => !isOfChain(source));
  const ofQuery = nodes.flatMap((node) => Object.values(node).flat());
  const words = [...sources.flatMap(textsOf), ...ofQuery.filter((value) => typeof value === "string")];
  const namesOf = (pattern: RegExp): readonly string[] => [...new Set(words.filter((word) => pattern.test(word)))];
  const ofFiles = (question: (names: string) => string): readonly string[] =>
    files.length === 0 ? [] : [question(files.map(({ name }) => name).join(", "))];
  const digest = policy.digest.slice(0, 16);
  const offChain = /referr|invit|social|twitter|discord|telegram|front_?end|wallet/i;
  return [
    { questions: ["is the policy published in full, in the forum and in the on-chain proposal?"] },
    { questions: ["do the posts name all eligible actions, criteria and calculations?"] },
    { questions: [`is the folder with the digest ${digest}… public, so that \`audit\` can verify it?`] },
    {
      ok: `every source is of the rollup ${policy.chainId}`,
      questions: ofFiles((names) => `if ${names} counts use of other chains: is it relevant and good for the rollup?`),
    },
    judgeFiles(sources, files),
    {
      questions: [
        "do the sources count nothing off the chain: referrals, social media, a front end, wallet or tool?",
        ...namesOf(offChain).map((name) => `what is "${name}"?`),
      ],
    },
    judgeTeam(policy, result, team),
    {
      forbidden: namesOf(/gauge|weight_?vote/i).map((name) => `"${name}": gauge votes give no score`),
      ok: "gauge votes are on L1, and every source is of the rollup",
      questions: ofFiles((names) => `does ${names} count votes in VIP's gauges?`),
    },
    ...judgeAssets(policy, sources),
  ];
}

function judgeFiles(sources: readonly SourceDefinition[], files: readonly SourceDefinition[]): RuleVerdict {
  const unpublished = files.filter(({ settings }) => settings["url"] === undefined || settings["sha256"] === undefined);
  const lists = sources.filter(({ kind }) => kind === "balances");
  return {
    ok: "every source is read from the rollup",
    forbidden: unpublished.map(({ name }) => `${name} is a file without a published url and its sha256`),
    questions: [
      ...files.map(({ name }) => `does ${name} hold weights or prices only, and no actions?`),
      ...lists.map(
        ({ name, settings }) => `what on the chain selects the accounts of ${name}, ${String(settings["accounts"])}?`,
      ),
    ],
    fix: ["Replace it by events, transactions or state of the rollup, or give the source url and sha256."],
  };
}

function judgeTeam(
  { excluded }: Policy,
  { table }: Pick<PolicyResult, "table">,
  team: readonly TeamAccount[] = [],
): RuleVerdict {
  const scored = team
    .map(({ account, role }) => ({ account, role, score: table.get(account) ?? 0n }))
    .filter(({ score }) => score > 0n);
  const nobody = excluded.size === 0 ? ["exclude names nobody: the operator and its team must not get scores"] : [];
  const unknown = team.length === 0 ? " The contract is not known: its accounts were not compared." : "";
  return {
    forbidden: [...nobody, ...scored.map(({ account, role }) => `the ${role} ${account} has a score`)],
    questions: [`are all accounts of the team and its associates among the ${excluded.size} excluded?${unknown}`],
    fix: ['List their accounts in the file that exclude names in policy.toml: exclude = "exclude.csv".'],
    accounts: scored,
  };
}

const adding = /liquidity|provide|mint|deposit|join/i;
const holding = /transfer|fungible_asset|suppl|deposit|stak|(?<!b)lock|lend|borrow|collateral|withdraw/i;

/** Judges rule 9, on naked assets and liquidity, and rule 10, on other holdings. */
function judgeAssets(
  { plainAssets, productiveAssets, pools }: Policy,
  sources: readonly SourceDefinition[],
): readonly RuleVerdict[] {
  const forbidden: string[] = [];
  const questions =
    pools === undefined ? ["do the sources count no added liquidity? Name the pools, or pools = []"] : [];
  const files = sources.filter((source) => !isOfChain(source));
  const holdings = files.map(({ name }) => `does ${name} count what accounts hold, or liquidity?`);
  for (const source of sources.filter(isOfChain)) {
    const { name, kind } = source;
    const event = eventOf(source);
    const isHeld = kind === "balances" || kind.startsWith("nft_");
    const pool = textsOf(source)
      .map(assetName)
      .find((text) => pools?.has(text));
    if (pool !== undefined && (isHeld || adding.test(event)))
      forbidden.push(`${name} counts liquidity in the pool ${pool}`);
    else if (/liquidity/i.test(event) || (pool !== undefined && event === ""))
      questions.push(`does ${name} count liquidity that was added?`);
    for (const asset of isHeld || holding.test(event) ? assetsOf(source) : []) {
      const isNative = kind === "balances" && !/[/:]|^0x/.test(asset);
      const isPlain = plainAssets.has(asset) || isNative;
      if (isPlain && isHeld)
        forbidden.push(`${name} holds ${asset}, ${isNative ? "the native coin" : "a plain asset"}`);
      else if (isPlain) questions.push(`does ${name} add up what accounts hold of ${asset}, a plain asset?`);
      else if (!productiveAssets.has(asset))
        holdings.push(`what is ${asset} of ${name} at work in? Say it in productive_assets`);
    }
  }
  const fix = ["Count what users do with it: trades, loans, stakes."];
  return [
    { forbidden, questions, ok: "no naked asset and no named pool is counted", fix },
    { questions: holdings, ok: "every holding that is counted has its use in productive_assets" },
  ];
}

/** The names of a source's events, and what selects them; empty for another source. */
function eventOf({ settings: { event, type, where } }: SourceDefinition): string {
  const names = [event, type, where].flatMap(flatTexts);
  return names.map((text) => text.replace(/^\s*event\s+(\w+)[^]*/, "$1")).join(" ");
}

/** What the rows of a source are about: tokens, denominations or collections; of events, their contracts. */
function assetsOf({ kind, settings }: SourceDefinition): readonly string[] {
  const { token, denom, collections, contracts, type, where } = settings;
  if (kind === "balances") return [...flatTexts([token, denom]), "native"].slice(0, 1).map(assetName);
  const named = [collections, contracts, where].flatMap(flatTexts).map(assetName);
  const addresses = named.filter((text) => text.startsWith("0x"));
  return addresses.length > 0 ? addresses : flatTexts(type);
}

/** The texts in the settings of a source, such as its contracts and its event, and the names of its columns. */
function textsOf({
  settings: { accounts: _accounts, url: _url, sha256: _digest, columns, ...others },
}: SourceDefinition): readonly string[] {
  return [...flatTexts(others), ...Object.keys(columns ?? {})];
}

function flatTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(flatTexts);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(flatTexts) : [];
}
