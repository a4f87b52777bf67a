import type { Inputs } from "./inputs.ts";
import { largestChanges, type Difference } from "./largestChanges.ts";
import type { VipscoreResult } from "./runVipscore.ts";

/** The first line of the comment on a file and a stage: the next plan finds its comment by it. */
export function markerOf({ stage, file }: Inputs): string {
  return `<!-- vipscore plan: stage ${stage}, ${Buffer.from(file).toString("hex")} -->`;
}

/**
 * Returns the comment: what the dry run printed, with the cost, and the largest changes.
 *
 * @param dryRun - `push --dry-run --json`
 * @param verify - `verify --json`; undefined when the dry run failed.
 */
export function planComment(inputs: Inputs, dryRun: VipscoreResult, verify: VipscoreResult | undefined): string {
  const title = `### Stage ${inputs.stage}: ${dryRun.status === 0 ? "plan of a push" : "the push would be refused"}`;
  const changes = verify === undefined ? [] : ["", "**Largest changes**", "", changesOf(verify)];
  return [markerOf(inputs), title, "", fenced(dryRun.stderr), ...changes, ""].join("\n");
}

function changesOf({ status, stdout }: VipscoreResult): string {
  if (status === 0) return largestChanges([]);
  const { error, verification } = JSON.parse(stdout) as FailureJson;
  if (verification === undefined) return `They could not be read: ${error.code}.`;
  return largestChanges(verification.differences);
}

/** Output of `verify --json` when it fails; with the differences, if it could read the stage. */
interface FailureJson {
  readonly error: { readonly code: string };
  readonly verification?: { readonly differences: readonly Difference[] };
}

/** Quotes text so that nothing in it is Markdown, HTML or a mention. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text.trimEnd()}\n${fence}`;
}
