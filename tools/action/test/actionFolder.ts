import { spawn } from "node:child_process";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { parse } from "yaml";
import { exportCheckout } from "@vipscore/testkit/exportCheckout";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";

const root = join(import.meta.dirname, "../../..");

/** What a runner downloads for the action: no package is installed in it. */
export const checkout = await exportCheckout(root);

/** action.yml, as far as the tests need it. */
export const action = parse(await readFile(join(checkout, "action.yml"), "utf8")) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
};

/** A step of a workflow or of the action. */
export interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Environment;
}

/** Exit status of a program, and its output. */
export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  /** Standard output and standard error. */
  readonly output: string;
}

/** A repository that a workflow has checked out, with scores and a pull request's event. */
export interface ActionFolder extends AsyncDisposable {
  readonly path: string;
  /** Runs a program with an empty home; the `vipscore` on its PATH is the source of this repository. */
  readonly run: (file: string, args: readonly string[], env?: Environment) => Promise<Run>;
  /** Runs a line of the action or of a workflow, as a runner does. */
  readonly runLine: (line: string | undefined, env: Environment) => Promise<Run>;
  /** Runs the action's program. */
  readonly runScript: (env: Environment) => Promise<Run>;
}

type Environment = Readonly<Record<string, string>>;

/** The file with the event of a pull request. */
export const event = "event.json";

/** Makes the folder, with `scores.csv`: 1,200 points for account 1 and 350 for account 2. */
export async function makeActionFolder(): Promise<ActionFolder> {
  const [path, home] = [temporaryFolder("action"), temporaryFolder("home")];
  const source = join(root, "packages/cli/src/bin.ts");
  await writeFile(
    join(path, "vipscore"),
    `#!/bin/sh\nexec "${process.execPath}" --conditions=@vipscore/source "${source}" "$@"\n`,
  );
  await chmod(join(path, "vipscore"), 0o755);
  await writeFile(join(path, event), JSON.stringify({ pull_request: { number: 7 } }));
  await writeFile(join(path, "scores.csv"), `address,score\n${account(1)},1200\n${account(2)},350\n`);
  const run: ActionFolder["run"] = (file, args, env = {}) => runIn(path, file, args, { HOME: home, ...env });
  const runLine: ActionFolder["runLine"] = (line = "", env) =>
    run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", line], { GITHUB_ACTION_PATH: checkout, ...env });
  const program = action.runs.steps.find(({ id }) => id === "vipscore")?.run;
  return {
    path,
    run,
    runLine,
    runScript: (env) => runLine(program, env),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** An account of 20 bytes, by its number. */
export function account(number: number): string {
  return `0x${number.toString(16).padStart(40, "0")}`;
}

async function runIn(cwd: string, file: string, args: readonly string[], env: Environment): Promise<Run> {
  const path = [cwd, dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const child = spawn(file, args, { cwd, env: { PATH: path, ...env } });
  let [stdout, output] = ["", ""];
  child.stdout.on("data", (data: Buffer) => {
    stdout += data.toString();
    output += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => (output += data.toString()));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, stdout, output };
}
