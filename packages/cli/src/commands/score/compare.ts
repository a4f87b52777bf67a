import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import { InputError, readScores, VipError, writeNewFile, type ScoreTable, type Stage } from "@vipscore/core";
import { StageManifest } from "@vipscore/core/manifest";
import { announcedStage, postGaps, readVipStage, renderUpdatePost, stageStart } from "@vipscore/l1";
import type { Policy } from "@vipscore/policy";
import { compareScores, comparisonTables, renderComparison } from "@vipscore/report";
import type { Context } from "../../context.ts";
import { knownContract } from "../../contract/connect.ts";
import { pathOf } from "../../contract/readTable.ts";
import { noteGaps, refuseFiles } from "../../l1/writeTransaction.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import { stageOption, withPolicyOptions } from "../../options.ts";
import { formatTable } from "../../output/table.ts";
import { readSettings, vipOptions } from "../../settings/readSettings.ts";
import { dataFolder, openPolicySources, runOptions, type PolicyFlags } from "./sources.ts";

export function addScoreCompare(score: Command, context: Context): void {
  withPolicyOptions(score.command("compare"))
    .argument("<old>", "a score file, a manifest (*.manifest.json), or a policy's folder")
    .argument("<new>", "what to compare it with, of any of these kinds")
    .description("show who gains and who loses with other scores, or with another policy over the same blocks")
    .addOption(stageOption().makeOptionMandatory(false))
    .option("--out <file>", "new HTML file for the comparison")
    .option("--announce <file>", "new Markdown file for the forum post on the change from one policy to another")
    .addHelpText("after", "\nExample:\n  $ vipscore score compare policies/season1 policies/season2 --stage 12")
    .action((old: string, next: string, flags: CompareFlags) => writeComparison(context, old, next, flags));
}

interface CompareFlags extends PolicyFlags {
  readonly stage?: Stage;
  readonly out?: string;
  readonly announce?: string;
}

/** Accounts that are shown of each list; `--json` and `--out` have more. */
const accountsShown = 5;

const loadPolicy = () => optionalPackage("@vipscore/policy");

async function writeComparison(context: Context, old: string, next: string, flags: CompareFlags): Promise<void> {
  const { io, output } = context;
  const { stage = null, out, announce } = flags;
  await refuseFiles(context, [out, announce]);
  const [oldPolicy, newPolicy] = [await findPolicy(context, old), await findPolicy(context, next)];
  if (announce !== undefined && (oldPolicy === undefined || newPolicy === undefined))
    throw new InputError("--announce is for two policies: name their folders");
  const counted = oldPolicy && { ...oldPolicy, window: (newPolicy ?? oldPolicy).window };
  if (!isDeepStrictEqual(counted?.window, oldPolicy?.window))
    output.warn(`both policies count the blocks of ${next}, which has another window than ${old}`);
  const before = await scoresOf(context, old, flags, counted);
  const comparison = compareScores(before, await scoresOf(context, next, flags, newPolicy));
  const files = oldPolicy && newPolicy && (await (await loadPolicy()).diffPolicies(oldPolicy, newPolicy));
  for (const [title, lines] of comparisonTables(comparison)) {
    const shown = title.startsWith("Largest") ? lines.slice(0, accountsShown) : lines;
    if (shown.length > 0) output.print([title, ...formatTable(shown, { indent: "  ", align: "lrr" })].join("\n"));
  }
  for (const { name, lines } of files ?? []) output.print([`${name} differs`, ...lines].join("\n"));
  // A post that cannot be made leaves no page behind.
  const made: { readonly name: string; readonly text: string }[] = [];
  if (out !== undefined)
    made.push({ name: out, text: renderComparison({ names: `${old} and ${next}`, comparison, files }) });
  const post =
    announce !== undefined && oldPolicy && newPolicy
      ? { name: announce, text: await renderPost(context, oldPolicy, newPolicy, flags) }
      : undefined;
  if (post !== undefined) made.push(post);
  for (const { name, text } of made) await writeNewFile(resolve(io.cwd, name), name, [text]);
  const gaps = post === undefined ? [] : postGaps(post.text);
  if (post !== undefined) noteGaps(context, post.name, gaps);
  const written = { files: files ?? null, file: out ?? null, announced: announce ?? null, gaps };
  output.json({ command: "score compare", old, new: next, stage, ...comparison, ...written });
}

/** Returns the post that announces a change of the policy. */
async function renderPost(context: Context, old: Policy, next: Policy, flags: CompareFlags): Promise<string> {
  const { isOfChain, policyFormulas } = await loadPolicy();
  const settings = next.sources.some(isOfChain) ? await readSettings(context, flags) : undefined;
  const current = settings?.l1 && (await readVipStage(vipOptions(settings.l1, context.io.signal)));
  const first = current && announcedStage(current);
  const { vm, contract } = settings ?? {};
  const known = vm && (await knownContract(context.io, vm, contract, () => Promise.resolve(next.chainId)));
  return renderUpdatePost({
    current: await policyFormulas(old),
    proposed: await policyFormulas(next),
    stage: first,
    startsAt: current && first !== undefined ? stageStart(current, first) : undefined,
    contract: known?.value,
    howToCheck: ["npx @vipscore/cli audit <scores.manifest.json> --policy <folder> --endpoint <node of the rollup>"],
  });
}

/** Reads the policy of a folder; returns undefined for anything else. */
async function findPolicy({ io, output }: Context, name: string): Promise<Policy | undefined> {
  const path = resolve(io.cwd, name);
  if ((await stat(path).catch(() => undefined))?.isDirectory() !== true) return undefined;
  const { readPolicy } = await loadPolicy();
  const policy = await inPolicy(name, () => readPolicy(path, io));
  output.warnAll(policy.warnings);
  return policy;
}

/** Names the policy in an error: each of two has the same files and sources. */
async function inPolicy<T>(name: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!VipError.isVipError(error)) throw error;
    const { code, shortMessage, advice: metaMessages, details = "" } = error;
    const issues = error instanceof InputError ? error.issues : [];
    throw new InputError(`${name}: ${shortMessage}`, { code, metaMessages, details, issues, cause: error });
  }
}

async function scoresOf(context: Context, name: string, flags: CompareFlags, policy?: Policy): Promise<ScoreTable> {
  const { io, output } = context;
  const { stage } = flags;
  if (policy !== undefined) {
    if (stage === undefined) throw new InputError(`${name} is a policy: name the stage to run it for with --stage`);
    const { runPolicy } = await loadPolicy();
    output.showTransient(`running the policy ${name} …`);
    const opened = { stage, folder: dataFolder, flags };
    return inPolicy(name, async () => {
      const { sources } = await openPolicySources(context, policy, opened);
      return (await runPolicy(policy, sources, runOptions(io, flags))).table;
    });
  }
  const path = pathOf(io, name);
  const options = {
    accountBytes: [20, 32],
    signal: io.signal,
    onUnended: (text: string) => output.warn(text),
  } as const;
  if (!/\.manifest\.json$/i.test(name)) return readScores(path, options);
  const manifest = await StageManifest.open(path, name, stage, { willRecord: false, signal: io.signal });
  const file = join(dirname(path), manifest.manifest.scores.file);
  const table = await readScores(file, options);
  manifest.requireTable(table, file);
  return table;
}
