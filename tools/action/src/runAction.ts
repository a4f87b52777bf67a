import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hidePaths } from "./hidePaths.ts";
import { readInputs, sendingArgs, stageAt, type Inputs } from "./inputs.ts";
import { errorAnnotation, planComment, runSummary } from "./planComment.ts";
import { runVipscore, type VipscoreResult } from "./runVipscore.ts";
import { upsertComment } from "./upsertComment.ts";

/**
 * The program of action.yml. Its exit status is that of `vipscore`. The token for the comment is taken out of the
 * environment before any other program starts.
 */
const { ACTION_TOKEN: token = "", ...env } = process.env;
delete process.env["ACTION_TOKEN"];
process.exitCode = await run(readInputs(env));

async function run(inputs: Inputs): Promise<number> {
  const l1 = inputs.stage === "auto" ? await runVipscore(["stage", "--json"]) : undefined;
  if (l1 !== undefined && l1.status !== 0) {
    console.log(hidePaths(errorAnnotation(inputs, l1), env));
    return l1.status;
  }
  const stage =
    l1 === undefined ? inputs.stage : stageAt((JSON.parse(l1.stdout) as { readonly stage: string }).stage, inputs);
  return inputs.command.startsWith("plan") ? plan({ ...inputs, stage }) : send({ ...inputs, stage });
}

async function send(wanted: Inputs): Promise<number> {
  const result = await runVipscore(sendingArgs(wanted));
  await summarize(hidePaths(runSummary(wanted, result), env));
  if (result.status !== 0) console.log(hidePaths(errorAnnotation(wanted, result), env));
  else if (wanted.command === "deploy") await writeAddress(result);
  else if (wanted.command === "push") await keepPush(result);
  return result.status;
}

async function writeAddress({ stdout }: VipscoreResult): Promise<void> {
  const { contract } = JSON.parse(stdout) as { readonly contract: { readonly address: string } };
  await writeOutput("contract", contract.address);
}

/** Keeps what a push printed that wrote scores, for the report of the stage; the runner removes its folder. */
async function keepPush({ stdout }: VipscoreResult): Promise<void> {
  const { transactions } = JSON.parse(stdout) as { readonly transactions: readonly object[] };
  const { RUNNER_TEMP: folder } = env;
  if (transactions.length === 0 || folder === undefined) return;
  const path = join(folder, "push.json");
  await writeFile(path, hidePaths(stdout, env));
  await writeOutput("push", path);
}

async function writeOutput(name: string, value: string): Promise<void> {
  if (env["GITHUB_OUTPUT"] !== undefined) await appendFile(env["GITHUB_OUTPUT"], `${name}=${value}\n`);
}

async function plan(wanted: Inputs): Promise<number> {
  const { command, stage, file } = wanted;
  const push = ["push", `--stage=${stage}`, "--dry-run", "--json", "--", file];
  const dryRun = await runVipscore(command === "plan" ? push : sendingArgs(wanted));
  // That the stage differs from the file is the plan, not an error.
  const silent = (): void => undefined;
  const printed = dryRun.stdout === "" ? {} : (JSON.parse(dryRun.stdout) as object);
  const verify =
    command === "plan" && "plan" in printed
      ? await runVipscore(["verify", `--stage=${stage}`, "--json", "--", file], silent)
      : undefined;
  const comment = hidePaths(planComment(wanted, dryRun, verify), env);
  await summarize(comment);
  if (dryRun.status !== 0) console.log(hidePaths(errorAnnotation(wanted, dryRun), env));
  await writeComment(comment);
  return dryRun.status;
}

async function summarize(text: string): Promise<void> {
  if (env["GITHUB_STEP_SUMMARY"] !== undefined) await appendFile(env["GITHUB_STEP_SUMMARY"], text);
}

/** A pull request from a fork has no right to comment: its plan is in the summary of the run only. */
async function writeComment(comment: string): Promise<void> {
  const { GITHUB_EVENT_PATH: path, GITHUB_REPOSITORY: repository = "", GITHUB_API_URL: apiUrl = "" } = env;
  if (path === undefined || token === "") return;
  const { pull_request: pull } = JSON.parse(await readFile(path, "utf8")) as {
    readonly pull_request?: { readonly number: number };
  };
  if (pull === undefined) return;
  try {
    await upsertComment({ apiUrl, repository, number: pull.number, token }, comment);
  } catch (error) {
    console.log(`::warning::no comment: ${error instanceof Error ? error.message : "unknown error"}`);
  }
}
