import { appendFile, readFile } from "node:fs/promises";
import { hidePaths } from "./hidePaths.ts";
import { readInputs, sendingArgs, type Inputs } from "./inputs.ts";
import { planComment } from "./planComment.ts";
import { runVipscore } from "./runVipscore.ts";
import { upsertComment } from "./upsertComment.ts";

/**
 * The program of action.yml. Its exit status is that of `vipscore`. The token for the comment is taken out of the
 * environment before any other program starts.
 */
const { ACTION_TOKEN: token = "", ...env } = process.env;
delete process.env["ACTION_TOKEN"];
const inputs = readInputs(env);
process.exitCode = inputs.command === "plan" ? await plan(inputs) : await send(inputs);

async function send(wanted: Inputs): Promise<number> {
  const { status, stdout } = await runVipscore(sendingArgs(wanted));
  process.stdout.write(stdout);
  return status;
}

async function plan(wanted: Inputs): Promise<number> {
  const { stage, file } = wanted;
  const dryRun = await runVipscore(["push", `--stage=${stage}`, "--dry-run", "--json", "--", file]);
  const verify =
    dryRun.status === 0 ? await runVipscore(["verify", `--stage=${stage}`, "--json", "--", file]) : undefined;
  const comment = hidePaths(planComment(wanted, dryRun, verify), env);
  if (env["GITHUB_STEP_SUMMARY"] !== undefined) await appendFile(env["GITHUB_STEP_SUMMARY"], comment);
  await writeComment(comment);
  return dryRun.status;
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
