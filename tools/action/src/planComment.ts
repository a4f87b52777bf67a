import { isOfDeployment, type Inputs } from "./inputs.ts";
import { largestChanges, type Difference } from "./largestChanges.ts";
import type { VipscoreResult } from "./runVipscore.ts";

/** Lines that a comment quotes of the start and of the end of an output, and characters of a line: GitHub takes 65,536. */
const [firstLines, lastLines, longestLine] = [50, 5, 1000] as const;

/** The first line of the comment on a file and a stage: the next plan finds its comment by it. */
export function markerOf({ command, stage, file }: Inputs): string {
  return `<!-- vipscore ${command}: stage ${stage}, ${Buffer.from(file).toString("hex")} -->`;
}

/** Returns the comment: what the dry run printed, with the cost, and the largest changes. `verify` is undefined without a plan. */
export function planComment(inputs: Inputs, dryRun: VipscoreResult, verify: VipscoreResult | undefined): string {
  const what = isOfDeployment(inputs.command) ? "deployment" : "push";
  const title = `### Stage ${inputs.stage}: ${dryRun.status === 0 ? `plan of a ${what}` : `the ${what} would be refused`}`;
  const changes = verify === undefined ? [] : ["", "**Largest changes**", "", changesOf(verify)];
  return [markerOf(inputs), title, "", fenced(shorten(dryRun.stderr)), ...changes, ""].join("\n");
}

/** Returns the summary of a run that sends: what the command printed. */
export function runSummary({ command, stage }: Inputs, { status, stderr }: VipscoreResult): string {
  const title = `### Stage ${stage}: ${command} ${status === 0 ? "succeeded" : `failed, exit status ${status}`}`;
  return [title, "", fenced(shorten(stderr)), ""].join("\n");
}

/** Returns the workflow command that shows a failure on the page of the run. */
export function errorAnnotation({ command, stage }: Inputs, { stdout, stderr }: VipscoreResult): string {
  const message = stdout === "" ? stderr.trimEnd().split("\n").slice(-lastLines).join("\n") : messageOf(stdout);
  const escaped = message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  return `::error title=vipscore ${command} of stage ${stage}::${escaped}`;
}

function messageOf(stdout: string): string {
  const { code, message } = (JSON.parse(stdout) as FailureJson).error;
  return `${message} [${code}]`;
}

function changesOf({ status, stdout }: VipscoreResult): string {
  if (status === 0) return largestChanges([]);
  const { error, verification } = JSON.parse(stdout) as FailureJson;
  if (verification === undefined) return `They could not be read: ${error.code}.`;
  return largestChanges(verification.differences);
}

/** Output of a command with `--json` when it fails; of `verify` with the differences, if it could read the stage. */
interface FailureJson {
  readonly error: { readonly code: string; readonly message: string };
  readonly verification?: { readonly differences: readonly Difference[] };
}

/** Cuts an output to what a comment takes. The end has the error's code. */
function shorten(text: string): string {
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line));
  const left = lines.length - firstLines - lastLines;
  if (left <= 0) return lines.join("\n");
  return [...lines.slice(0, firstLines), `… ${left} more lines in the log …`, ...lines.slice(-lastLines)].join("\n");
}

/** Quotes text so that nothing in it is Markdown, HTML or a mention. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
