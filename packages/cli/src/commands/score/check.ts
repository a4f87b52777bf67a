import { join } from "node:path";
import { type Command } from "commander";
import { formatChecksummed, type Account, type Stage } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import { bridgesOf, parseMoveAddress, readVipBridges } from "@vipscore/l1";
import type { Engine, PolicyFinding, PolicyResult, SourceColumn, SourceData, TeamAccount } from "@vipscore/policy";
import type { Context } from "../../context.ts";
import { connectThrough, knownContract, openRollup } from "../../contract/connect.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import { stageOption, withPolicyOptions, withSourceOptions } from "../../options.ts";
import { rowJson } from "../../output/plan.ts";
import { RefusedReport } from "../../output/reportError.ts";
import { findingLines } from "../../output/table.ts";
import { readSettings, vipOptions } from "../../settings/readSettings.ts";
import { dataFolder, openPolicy, runOptions, type PolicyFlags, type PolicySources } from "./sources.ts";

export function addScoreCheck(score: Command, context: Context): void {
  withPolicyOptions(score.command("check"))
    .argument("<folder>", "the policy's folder, with policy.toml and policy.sql")
    .description("run a policy and list what VIP's rules forbid, and what costs other accounts; writes no scores")
    .addOption(stageOption())
    .option("--portable", "also list what Spark and ClickHouse may read differently in the query")
    .addHelpText("after", "\nExample:\n  $ vipscore score check policies/season1 --stage 12")
    .action((folder: string, flags: CheckFlags) => checkPolicy(context, folder, flags));
}

interface CheckFlags extends PolicyFlags {
  readonly stage: Stage;
  readonly portable?: boolean;
}

/** Maximum number of accounts listed for people below a finding; `--json` has all. */
const accountsShown = 5;

async function checkPolicy(context: Context, folder: string, flags: CheckFlags): Promise<void> {
  const { io, output } = context;
  const { checkPortable, checkScores, findDropped, findUnportable, runPolicy, vipRules } =
    await optionalPackage("@vipscore/policy");
  const { policy, policyJson, sources, rollup } = await openPolicy(context, folder, flags);
  output.showTransient("running the policy …");
  const result = await runPolicy(policy, sources, runOptions(io, flags));
  const contracts = await contractsOf(context, rollup, result);
  const team = rollup && (await readTeam(context, flags));
  const dropped = await findDropped(policy, sources, runOptions(io, flags));
  const findings = [...(await checkScores(policy, result, { contracts, team, dropped }))];
  if (flags.portable === true) findings.push(checkPortable(await findUnportable(policy.sql, sources)));
  for (const finding of findings)
    output.print([...findingLines(output, [finding]), ...accountLines(finding)].join("\n"));
  output.print(`VIP's rules 1 to 10, as of ${vipRules.asOf}: ${vipRules.url}`);
  const report = {
    command: "score check",
    stage: flags.stage,
    policy: policyJson,
    accounts: result.table.size,
    total: result.table.total,
    sha256: result.table.digest(),
    rules: vipRules,
    checks: findings.map((finding) => ({ ...finding, accounts: finding.accounts.map(rowJson) })),
  };
  const actions = findings.filter(({ state }) => state === "forbidden");
  if (actions.length === 0) return output.json(report);
  throw new RefusedReport(`${actions.length} of ${count(findings.length, "check")} found what is not allowed`, {
    code: "POLICY_FORBIDDEN",
    report,
  });
}

/**
 * Reads the accounts that write the scores or are paid for it: those of the contract, the signer, and the operator on L1.
 * Undefined if no contract is known.
 */
async function readTeam(context: Context, flags: CheckFlags): Promise<readonly TeamAccount[] | undefined> {
  const settings = await readSettings(context, flags);
  const rollup = await openRollup(context, settings, flags, "optional");
  const known = await knownContract(context.io, settings.vm, settings.contract, () => rollup.readChainId());
  if (known === undefined) return undefined;
  const contract = await connectThrough(context, settings, rollup);
  const [control, members = [], registered] = await Promise.all([
    contract.getControl(),
    contract.getMembers(),
    settings.l1 && readVipBridges(vipOptions(settings.l1, context.io.signal)),
  ]);
  const operators = bridgesOf(registered?.bridges ?? [], contract.identity);
  const { owner, pendingOwner, finalizer, codeAdmin } = control ?? {};
  const team: Readonly<Record<string, readonly (Account | undefined)[]>> = {
    member: members,
    owner: [owner, pendingOwner],
    finalizer: [finalizer],
    deployer: [codeAdmin === "implementation" ? undefined : codeAdmin],
    signer: [contract.signer],
    operator: operators.map(({ operatorAddress }) => parseMoveAddress(operatorAddress)),
  };
  const roles = new Map(
    Object.entries(team).flatMap(([role, accounts]) => accounts.map((account) => [account, role] as const)),
  );
  return Array.from(roles, ([account, role]) => (account === undefined ? [] : [{ account, role }])).flat();
}

async function contractsOf(
  context: Context,
  rollup: PolicySources["rollup"],
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

function accountLines({ accounts }: PolicyFinding): readonly string[] {
  const lines = accounts
    .slice(0, accountsShown)
    .map(({ account, score }) => `    ${formatChecksummed(account)}  ${group(score)}`);
  const left = accounts.length - accountsShown;
  return left > 0 ? [...lines, `    and ${group(left)} more; --json lists all`] : lines;
}

export function addScoreData(score: Command, context: Context): void {
  withSourceOptions(score.command("data"))
    .argument("<folder>", "the policy's folder, with policy.toml and policy.sql")
    .description("print the stored rows of a policy's sources as views for DuckDB, Spark and ClickHouse")
    .addOption(stageOption())
    .addHelpText(
      "after",
      "\nReads what is not stored yet. The output is SQL; a warning names what other engines may read differently in the query.\n\nExample:\n  $ vipscore score data policies/season1 --stage 12",
    )
    .action((folder: string, flags: DataFlags) => describeData(context, folder, flags));
}

interface DataFlags extends PolicyFlags {
  readonly stage: Stage;
}

const titles: Readonly<Record<Engine, string>> = { duckdb: "DuckDB", spark: "Spark", clickhouse: "ClickHouse" };

async function describeData(context: Context, folder: string, flags: DataFlags): Promise<void> {
  const { io, output, signal } = context;
  const { stage } = flags;
  const { collectSources, engines, findUnportable, sourceViews } = await optionalPackage("@vipscore/policy");
  const { policy, sources, policyJson } = await openPolicy(context, folder, flags);
  // What is not read from the chain has to last too, and belongs to this policy and stage alone.
  const own = join(io.cwd, dataFolder, `policy-${policy.digest.slice(0, 32)}-${stage}`);
  const collected = await collectSources(sources, { folder: own, signal });
  const views = collected.map((source) => sourceViews(source));
  const unportable = await findUnportable(policy.sql, sources);
  for (const source of collected) output.print(describe(source).join("\n"));
  for (const engine of engines) {
    output.print(`\n-- ${titles[engine]}`);
    for (const view of views) output.print(view[engine]);
  }
  for (const { place, what, why } of unportable) output.warn(`${place} uses ${what}: ${why}`);
  output.json({
    command: "score data",
    stage,
    policy: policyJson,
    sources: collected.map(({ name, kind, columns, files, lastHeight, rows, digest }, index) => ({
      name,
      kind,
      rows,
      sha256: digest,
      columns: columns.map((column) => ({ name: column.name, type: column.type, parquet: parquetType(column) })),
      files,
      lastHeight: lastHeight ?? null,
      views: views[index],
    })),
    unportable,
  });
}

/** The comments above the views, so that all of the output is SQL. */
function describe({ name, kind, columns, files, rows, digest }: SourceData): readonly string[] {
  return [
    `-- ${name}  ${kind}  ${count(rows, "row")} in ${count(files.length, "file")}  sha256 ${digest}`,
    ...columns.map((column) => `--   ${column.name}  ${column.type}, ${parquetType(column)}`),
  ];
}

function parquetType({ type, stored }: SourceColumn): string {
  if (type === "boolean") return "BOOLEAN";
  if (type !== "integer") return "STRING";
  return stored === "bigint" ? "INT64" : "DECIMAL(38, 0)";
}
