import { burnWarning, formatChecksummed, isBurnAddress, type ScoreRow, type ScoreTable } from "@vipscore/core";
import type { Policy } from "../policy.ts";
import type { PolicyResult } from "../run/runPolicy.ts";
import { parseSql } from "../run/syntaxTree.ts";
import { judgeRules, type RuleVerdict, type TeamAccount } from "./checkRules.ts";

/** One of VIP's ten rules, by its number; see `vipRules`. */
const rules = [
  "rule-1",
  "rule-2",
  "rule-3",
  "rule-4",
  "rule-5",
  "rule-6",
  "rule-7",
  "rule-8",
  "rule-9",
  "rule-10",
] as const;

/** The checks of {@link checkScores}: VIP's ten rules by their numbers, and others. */
export const policyChecks = [...rules, "claimants", "largest-share", "total", "dropped"] as const;

/** One of {@link policyChecks}, or that of `checkPortable`. */
export type PolicyCheck = (typeof policyChecks)[number] | "portable";

/**
 * Result of a check: `ok`; `forbidden` by VIP's rules or the policy itself; `question`, which only a person can answer;
 * `warning`, which is allowed, but costs somebody or deserves a look; `skipped`, not checked.
 */
export interface PolicyFinding {
  readonly check: PolicyCheck;
  readonly state: "ok" | "forbidden" | "question" | "warning" | "skipped";
  /** The finding, for people. */
  readonly text: string;
  /** Advice on what to do about it. */
  readonly fix: readonly string[];
  /** The accounts concerned, largest score first. */
  readonly accounts: readonly ScoreRow[];
}

/** Known facts about the scores besides their policy. */
export interface ScoreFacts {
  /** Scored accounts that are contracts; undefined if that is not known. */
  readonly contracts: ReadonlySet<string> | undefined;
  /** The accounts that write the scores; undefined if no contract is known. */
  readonly team: readonly TeamAccount[] | undefined;
  /** What left out rows, see `findDropped`. */
  readonly dropped: string | undefined;
}

/** The largest total that JavaScript numbers hold exactly: clients of VIP's API read scores as such. */
const exactTotal = 2n ** 53n;

/**
 * Checks what VIP's rules forbid, and what costs other accounts, as far as a program sees it.
 *
 * @returns One finding for each of {@link policyChecks}, in their order.
 */
export async function checkScores(
  policy: Policy,
  result: Pick<PolicyResult, "table">,
  facts: ScoreFacts,
): Promise<readonly PolicyFinding[]> {
  const { table } = result;
  const verdicts = judgeRules(policy, result, await parseSql(policy.sql), facts.team);
  return [
    ...rules.map((rule, index) => ruleFinding(rule, verdicts[index] ?? {})),
    checkClaimants(table, facts.contracts),
    checkShare(table, policy.maxSharePercent),
    checkTotal(table),
    checkDropped(facts.dropped),
  ];
}

function ruleFinding(
  check: PolicyCheck,
  { forbidden = [], questions = [], ok = "", fix, accounts }: RuleVerdict,
): PolicyFinding {
  if (forbidden.length > 0)
    return found(check, "forbidden", [...forbidden, ...questions].join("; "), { fix, accounts });
  if (questions.length > 0) return found(check, "question", questions.join(" "), { accounts });
  return found(check, "ok", ok);
}

function checkClaimants(table: ScoreTable, contracts: ReadonlySet<string> | undefined): PolicyFinding {
  const scored = [...table].filter(({ score }) => score > 0n);
  const isContract = ({ account }: ScoreRow): boolean => account.length > 42 || contracts?.has(account) === true;
  const burned = scored.filter(({ account }) => isBurnAddress(account));
  const others = scored.filter((row) => isContract(row) && !isBurnAddress(row.account));
  if (burned.length + others.length > 0) {
    const contractsText = `contracts or objects with a score, which they cannot claim on L1: ${others.length}`;
    const texts = [...(others.length > 0 ? [contractsText] : []), burnWarning(table) ?? []].flat();
    return found("claimants", "warning", texts.join("; "), {
      fix: ["Exclude them: their share is lost to all others."],
      accounts: [...burned, ...others],
    });
  }
  if (contracts === undefined)
    return found("claimants", "skipped", "not known which accounts are contracts: no endpoint is set");
  return found("claimants", "ok", "no contract, object or burn address has a score");
}

function checkShare(table: ScoreTable, maxSharePercent: bigint | undefined): PolicyFinding {
  const rows = sortLargestFirst(table);
  const [largest] = rows;
  if (largest === undefined || table.total === 0n) return found("largest-share", "ok", "no account has a score");
  const share = `${formatChecksummed(largest.account)} has the largest share, ${formatShare(largest.score, table.total)}`;
  if (maxSharePercent === undefined) {
    return found("largest-share", "skipped", share, {
      fix: ["State the largest share that one account may have: max_share_percent in policy.toml."],
    });
  }
  const above = rows.filter(({ score }) => score * 100n > maxSharePercent * table.total);
  if (above.length === 0) return found("largest-share", "ok", `${share}; ${maxSharePercent}% is allowed`);
  const text = `accounts with more than ${maxSharePercent}% of the total: ${above.length}; ${share}`;
  return found("largest-share", "forbidden", text, { accounts: above });
}

function checkTotal({ total }: ScoreTable): PolicyFinding {
  if (total < exactTotal) return found("total", "ok", `${total}, which every client reads exactly`);
  const text = `${total}: clients that read scores as JavaScript numbers round totals from 2^53 on`;
  return found("total", "warning", text, { fix: ["Divide the scores by a constant."] });
}

function checkDropped(dropped: string | undefined): PolicyFinding {
  if (dropped === undefined) return found("dropped", "skipped", "not known whether a null leaves out rows");
  if (dropped === "") return found("dropped", "ok", "no division by 0, NOT IN or arg_max() leaves out rows");
  return found("dropped", "warning", `the query has ${dropped}: DuckDB silently leaves out such rows`, {
    fix: ["Say what counts instead: case when y = 0 then 0 else x // y end, coalesce(x, 0), or where x is not null."],
  });
}

function found(
  check: PolicyCheck,
  state: PolicyFinding["state"],
  text: string,
  { fix = [], accounts = [] }: Pick<RuleVerdict, "fix" | "accounts"> = {},
): PolicyFinding {
  return { check, state, text, fix, accounts: sortLargestFirst(accounts) };
}

function sortLargestFirst(rows: Iterable<ScoreRow>): readonly ScoreRow[] {
  return [...rows].sort((one, other) => {
    if (one.score === other.score) return one.account < other.account ? -1 : 1;
    return one.score > other.score ? -1 : 1;
  });
}

/** With two digits after the point, rounded down. */
function formatShare(part: bigint, whole: bigint): string {
  const hundredths = (part * 10_000n) / whole;
  return `${hundredths / 100n}.${`${hundredths % 100n}`.padStart(2, "0")}%`;
}
