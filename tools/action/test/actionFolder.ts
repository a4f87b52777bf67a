import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname, "../../..");
const program = join(import.meta.dirname, "../src/runAction.ts");

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
  /** Runs a program; the `vipscore` on its PATH is the source of this repository. */
  readonly run: (file: string, args: readonly string[], env?: Environment) => Promise<Run>;
  /** Runs the script of action.yml. */
  readonly runScript: (env: Environment) => Promise<Run>;
}

type Environment = Readonly<Record<string, string>>;

/** The file with the event of a pull request. */
export const event = "event.json";

/** Makes the folder, with `scores.csv`: 1,200 points for account 1 and 350 for account 2. */
export async function makeActionFolder(): Promise<ActionFolder> {
  const path = await mkdtemp(join(tmpdir(), "vipscore-action-"));
  const source = join(root, "packages/cli/src/bin.ts");
  await writeFile(
    join(path, "vipscore"),
    `#!/bin/sh\nexec "${process.execPath}" --conditions=@vipscore/source "${source}" "$@"\n`,
  );
  await chmod(join(path, "vipscore"), 0o755);
  await writeFile(join(path, event), JSON.stringify({ pull_request: { number: 7 } }));
  await writeFile(join(path, "scores.csv"), `address,score\n${account(1)},1200\n${account(2)},350\n`);
  const run: ActionFolder["run"] = (file, args, env = {}) => runIn(path, file, args, env);
  return {
    path,
    run,
    runScript: (env) => run(process.execPath, [program], env),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** An account of 20 bytes, by its number. */
export function account(number: number): string {
  return `0x${number.toString(16).padStart(40, "0")}`;
}

async function runIn(cwd: string, file: string, args: readonly string[], env: Environment): Promise<Run> {
  const path = [cwd, process.env["PATH"]].join(delimiter);
  const child = spawn(file, args, { cwd, env: { PATH: path, HOME: cwd, ...env } });
  let [stdout, output] = ["", ""];
  child.stdout.on("data", (data: Buffer) => {
    stdout += data.toString();
    output += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => (output += data.toString()));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, stdout, output };
}
