import { resolve } from "node:path";
import { formatChecksummed, type Stage } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import type { PolicyFinding, PolicyResult, RunPolicyOptions } from "@vipscore/policy";
import type { Context } from "../../../context.ts";
import { optionalPackage } from "../../../optionalPackage.ts";
import { RefusedReport } from "../../../output/reportError.ts";
import { rowJson } from "../../../output/rowJson.ts";
import { findingLines } from "../../../output/table.ts";
import {
  dataFolder,
  openPolicySources,
  runOptions,
  type PolicyFlags,
  type PolicySources,
} from "../../../score/policySources.ts";

/** The flags of `score check`. */
export interface CheckFlags extends PolicyFlags {
  readonly stage: Stage;
  readonly portable?: boolean;
}

/** Maximum number of accounts listed for people below a finding; `--json` has all. */
const accountsShown = 5;

/** A window of less than this, in seconds, is too short to say who is new in it. */
const shortWindow = 86_400;

/** Runs a policy and lists what VIP forbids: `score check`. */
export async function checkPolicy(context: Context, folder: string, flags: CheckFlags): Promise<void> {
  const { io, output } = context;
  const { stage } = flags;
  const { signal } = io;
  const { checkPortable, checkScores, findUnportable, readPolicy, runPolicy } =
    await optionalPackage("@vipscore/policy");
  const policy = await readPolicy(resolve(io.cwd, folder), { signal });
  const opened = await openPolicySources(context, policy, { stage, folder: dataFolder, flags });
  output.showTransient("running the policy …");
  const result = await runPolicy(policy, opened.sources, runOptions(io, flags));
  const findings = [
    ...checkScores(policy, result, {
      contracts: await contractsOf(context, opened, result),
      newcomers: await newcomersOf(opened, runOptions(io, flags)),
    }),
  ];
  if (flags.portable === true) findings.push(checkPortable(await findUnportable(policy.sql, opened.sources)));
  for (const finding of findings)
    output.print([...findingLines(output, [finding]), ...accountLines(finding)].join("\n"));
  const report = {
    command: "score check",
    stage,
    policy: { name: policy.name, version: policy.version, chainId: policy.chainId, sha256: policy.digest },
    accounts: result.table.size,
    total: result.table.total,
    sha256: result.table.digest(),
    checks: findings.map((finding) => ({ ...finding, accounts: finding.accounts.map(rowJson) })),
  };
  const actions = findings.filter(({ state }) => state === "action");
  if (actions.length === 0) return output.json(report);
  throw new RefusedReport(`${actions.length} of ${count(findings.length, "check")} found what is not allowed`, {
    code: "POLICY_FORBIDDEN",
    report,
  });
}

async function contractsOf(
  context: Context,
  { rollup }: PolicySources,
  { table }: PolicyResult,
): Promise<ReadonlySet<string> | undefined> {
  if (rollup === undefined) return undefined;
  const { io, output } = context;
  const { findContracts } = await optionalPackage("@vipscore/policy");
  return findContracts(rollup, table.keys(), {
    signal: io.signal,
    onProgress: (checked) => output.showTransient(`${group(checked)}/${group(table.size)} holders looked up`),
  });
}

async function newcomersOf(
  { sources, chain }: PolicySources,
  options: RunPolicyOptions,
): Promise<ReadonlySet<string> | undefined> {
  if (chain === undefined) return undefined;
  const { first, last } = chain.window;
  if (last.time - first.time < shortWindow) return undefined;
  const { findNewcomers } = await optionalPackage("@vipscore/policy");
  return findNewcomers(sources, BigInt(last.time), options);
}

function accountLines({ accounts }: PolicyFinding): readonly string[] {
  const lines = accounts
    .slice(0, accountsShown)
    .map(({ account, score }) => `    ${formatChecksummed(account)}  ${group(score)}`);
  const left = accounts.length - accountsShown;
  return left > 0 ? [...lines, `    and ${group(left)} more; --json lists all`] : lines;
}
