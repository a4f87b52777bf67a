import { open, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import {
  formatChecksummed,
  InputError,
  readScores,
  refuseExisting,
  writeNewFile,
  type ScoreTable,
  type Stage,
} from "@vipscore/core";
import { StageManifest } from "@vipscore/core/manifest";
import { count, group } from "@vipscore/core/values";
import type { Policy, PolicyFileChange } from "@vipscore/policy";
import {
  changeTexts,
  compareScores,
  measures,
  renderComparison,
  type LargestChanges,
  type Measure,
  type ScoreComparison,
} from "@vipscore/report";
import type { Context } from "../../context.ts";
import { pathOf } from "../../contract/readTable.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import { stageOption, withPolicyOptions } from "../../options.ts";
import type { Output } from "../../output/output.ts";
import { formatTable } from "../../output/table.ts";
import { dataFolder, openPolicySources, runOptions, type PolicyFlags } from "./sources.ts";

export function addScoreCompare(score: Command, context: Context): void {
  withPolicyOptions(score.command("compare"))
    .argument("<old>", "a score file, a manifest, or a policy's folder")
    .argument("<new>", "what to compare it with, of any of these kinds")
    .description("show who gains and who loses with other scores, or with another policy over the same blocks")
    .addOption(stageOption().makeOptionMandatory(false))
    .option("--out <file>", "new HTML file for the comparison")
    .addHelpText(
      "after",
      "\nPolicies need --stage; two of them count the blocks of the new one.\n\nExample:\n  $ vipscore score compare policies/season1 policies/season2 --stage 12 --out compare.html",
    )
    .action((old: string, next: string, flags: CompareFlags) => writeComparison(context, old, next, flags));
}

interface CompareFlags extends PolicyFlags {
  readonly stage?: Stage;
  readonly out?: string;
}

async function writeComparison(context: Context, old: string, next: string, flags: CompareFlags): Promise<void> {
  const { io, output } = context;
  const { stage, out } = flags;
  const path = out === undefined ? undefined : resolve(io.cwd, out);
  if (path !== undefined) await refuseExisting(path, out ?? "");
  const [oldPolicy, newPolicy] = [await findPolicy(context, old), await findPolicy(context, next)];
  const counted = oldPolicy && { ...oldPolicy, window: (newPolicy ?? oldPolicy).window };
  if (!isDeepStrictEqual(counted?.window, oldPolicy?.window))
    output.warn(`both policies count the blocks of ${next}, which has another window than ${old}`);
  const before = await scoresOf(context, old, counted, flags);
  const after = await scoresOf(context, next, newPolicy, flags);
  const comparison = compareScores(before, after);
  const files =
    oldPolicy &&
    newPolicy &&
    (await (await optionalPackage("@vipscore/policy")).diffPolicies(oldPolicy, newPolicy, io));
  describe(output, comparison);
  if (files !== undefined) output.print(fileLines(files).join("\n"));
  if (path !== undefined && out !== undefined) {
    await writeNewFile(path, out, [renderComparison({ names: { before: old, after: next }, comparison, files })]);
    output.print(`page     ${out}`);
  }
  output.json({
    command: "score compare",
    old,
    new: next,
    stage: stage ?? null,
    ...comparisonJson(comparison),
    files: files ?? null,
    file: out ?? null,
  });
}

/** Reads the policy of a folder; returns undefined for anything else. */
async function findPolicy({ io, output }: Context, name: string): Promise<Policy | undefined> {
  const path = resolve(io.cwd, name);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) return undefined;
  const policy = await (await optionalPackage("@vipscore/policy")).readPolicy(path, io);
  output.warnAll(policy.warnings);
  return policy;
}

async function scoresOf(
  context: Context,
  name: string,
  policy: Policy | undefined,
  flags: CompareFlags,
): Promise<ScoreTable> {
  const { io, output } = context;
  const { stage } = flags;
  const path = pathOf(io, name);
  const options = {
    accountBytes: [20, 32],
    signal: io.signal,
    onUnended: (warning: string) => output.warn(warning),
  } as const;
  if (policy === undefined) {
    if (!(await isManifest(path))) return readScores(path, options);
    const manifest = await StageManifest.open(path, name, stage, { willRecord: false, signal: io.signal });
    const file = join(dirname(path), manifest.manifest.scores.file);
    const table = await readScores(file, options);
    manifest.requireTable(table, file);
    return table;
  }
  if (stage === undefined) throw new InputError(`${name} is a policy: name the stage whose blocks count, with --stage`);
  const { sources } = await openPolicySources(context, policy, { stage, folder: dataFolder, flags });
  output.showTransient(`running the policy ${name} …`);
  const { runPolicy } = await optionalPackage("@vipscore/policy");
  return (await runPolicy(policy, sources, runOptions(io, flags))).table;
}

/** Whether a file's first field is that of a manifest. A score file can be a pipe, whose start cannot be read twice. */
async function isManifest(path: string): Promise<boolean> {
  const file = /\.json$/i.test(path) ? await open(path).catch(() => undefined) : undefined;
  try {
    const start = await file?.read(Buffer.alloc(256), 0, 256, 0);
    return start?.buffer.includes('"vipscore-scores/') === true;
  } finally {
    await file?.close();
  }
}

/** Accounts, and lines of a file, that are shown for people; `--json` and `--out` have more. */
const accountsShown = 5;
const linesShown = 40;

function describe(
  output: Output,
  { before, after, entered, left, higher, lower, unchanged, changes }: ScoreComparison,
): void {
  const both = (title: string, text: (spread: typeof before) => string) => [title, text(before), text(after)];
  const rows = [
    ["", "before", "after"],
    both("total", ({ total }) => group(total)),
    both("accounts", ({ accounts }) => group(accounts)),
    both("largest share", ({ largestShare }) => `${largestShare} %`),
    both("Gini", ({ gini }) => gini),
    ...before.deciles.map((_, index) => both(`tenth ${index + 1}`, ({ deciles }) => `${deciles[index] ?? ""} %`)),
  ];
  output.print(formatTable(rows, { align: "lrr" }).join("\n"));
  output.print(
    `${count(higher, "account")} with a higher score, ${group(lower)} with a lower one, ${group(unchanged)} with the same`,
  );
  const list = (title: string, measure: Measure, largest: LargestChanges): void => {
    const lines = largest.slice(0, accountsShown).map((change) => {
      const { before: was, after: is } = changeTexts(measure, change);
      return [formatChecksummed(change.account), was, "to", is];
    });
    output.print([title, ...formatTable(lines, { indent: "  ", align: "lrlr", gap: " " })].join("\n"));
  };
  list(`${count(entered.accounts, "account")} entered`, "score", entered.largest);
  list(`${count(left.accounts, "account")} left`, "score", left.largest);
  for (const measure of measures) {
    for (const [title, largest] of Object.entries(changes[measure]))
      if (largest.length > 0) list(`largest ${title} of ${measure}`, measure, largest);
  }
}

function fileLines(files: readonly PolicyFileChange[]): readonly string[] {
  if (files.length === 0) return ["both policies have the same files"];
  return files.flatMap(({ name, lines }) => {
    const more = lines.length - linesShown;
    return [
      `${name} differs`,
      ...lines.slice(0, linesShown).map((line) => `  ${line}`),
      ...(more > 0 ? [`  and ${count(more, "more line")}`] : []),
    ];
  });
}

function comparisonJson({ entered, left, changes, ...comparison }: ScoreComparison): object {
  const list = (largest: LargestChanges) =>
    largest.map(({ account, ...change }) => ({ address: formatChecksummed(account), ...change }));
  return {
    ...comparison,
    entered: { ...entered, largest: list(entered.largest) },
    left: { ...left, largest: list(left.largest) },
    changes: Object.fromEntries(
      measures.map((measure) => [
        measure,
        { gains: list(changes[measure].gains), losses: list(changes[measure].losses) },
      ]),
    ),
  };
}
