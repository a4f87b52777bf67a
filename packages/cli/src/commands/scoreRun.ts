import { resolve } from "node:path";
import { Option, type Command } from "commander";
import { formatChecksummed, formatScores, type ScoreRow, type Stage } from "@vipscore/core";
import type { Policy, PolicyResult } from "@vipscore/policy";
import { stageOption, withOutputOptions } from "../commandOptions.ts";
import type { Context } from "../context.ts";
import { count, group, shortDigest } from "../output/numbers.ts";
import { printableText } from "../output/printableText.ts";
import { refuseExisting, writeNewFile } from "../writeNewFile.ts";

interface RunFlags {
  readonly stage: Stage;
  readonly out: string;
}

/** Adds `score run`. */
export function addScoreRun(score: Command, context: Context): void {
  withOutputOptions(score.command("run"))
    .argument("<folder>", "the policy's folder, with policy.toml and policy.sql")
    .description("write a CSV for `push` from a scoring policy: sources and one SQL query")
    .addOption(stageOption())
    .addOption(new Option("--out <file>", "new file for the scores").makeOptionMandatory())
    .addHelpText(
      "after",
      "\nThe query runs twice, over the rows in two orders, and both runs must give the same scores.\n\nExample:\n  $ vipscore score run policies/season1 --stage 12 --out scores12.csv",
    )
    .action((folder: string, flags: RunFlags) => writePolicyScores(context, folder, flags));
}

async function writePolicyScores(context: Context, folder: string, { stage, out }: RunFlags): Promise<void> {
  const { io, output } = context;
  const { signal } = io;
  const path = resolve(io.cwd, out);
  // Report an existing file before the policy runs for minutes.
  await refuseExisting(path, out);
  // DuckDB's library is large; only this command loads it.
  const { openSources, readPolicy, runPolicy } = await import("@vipscore/policy");
  const policy = await readPolicy(resolve(io.cwd, folder), { signal });
  output.showTransient("running the policy …");
  const result = await runPolicy(policy, openSources(policy), { signal });
  const { table } = result;
  await writeNewFile(path, out, formatScores([table]));
  describe(context, policy, result);
  output.note(
    `scored ${count(table.size, "account")} for stage ${stage} to ${out}, total ${group(table.total)}, sha256 ${shortDigest(table.digest())}`,
  );
  output.json({
    command: "score run",
    stage,
    policy: { name: policy.name, version: policy.version, chainId: policy.chainId, sha256: policy.digest },
    sources: result.sources.map(({ name, kind, rows, digest }) => ({ name, kind, rows, sha256: digest })),
    duckdb: result.duckdb,
    accounts: table.size,
    total: table.total,
    sha256: table.digest(),
    excluded: { accounts: policy.excluded.size, scored: result.excluded.map(rowJson) },
    file: out,
  });
}

function describe({ output }: Context, policy: Policy, { sources, excluded, duckdb }: PolicyResult): void {
  const { name, version, chainId, digest } = policy;
  output.note(
    `policy    "${printableText(name)}" ${printableText(version)}  chain ${printableText(chainId)}  sha256 ${shortDigest(digest)}  DuckDB ${duckdb}`,
  );
  for (const source of sources) {
    output.note(`${source.name}  ${source.kind}  ${count(source.rows, "row")}  sha256 ${shortDigest(source.digest)}`);
  }
  if (policy.excluded.size === 0) return;
  output.note(
    `excluded  ${count(policy.excluded.size, "account")}, of which the query scores ${group(excluded.length)}`,
  );
  for (const { account, score } of excluded) output.note(`  ${formatChecksummed(account)}  ${group(score)}`);
}

function rowJson({ account, score }: ScoreRow): object {
  return { address: formatChecksummed(account), score };
}
