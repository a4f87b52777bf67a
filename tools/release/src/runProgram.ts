import { spawn } from "node:child_process";

// The slowest, a build of the local chains without a cache, takes some minutes; one that hangs must fail, not block a release.
const boundMs = 1_800_000;

/**
 * Runs a program to its end and returns its standard output.
 *
 * @throws Error with all output if it fails, or does not end in time: then it is killed, with the processes that it started.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  // A separate process group can be killed as a whole: npm starts further processes.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, all] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    all += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (all += text));
  let end = "";
  const timer = setTimeout(() => {
    end = `no end within ${boundMs / 1000} s`;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, boundMs);
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    if (status === 0) return stdout;
    throw new Error(`${[program, ...args].join(" ")}: ${end || `status ${status}`}\n${all}`);
  } finally {
    clearTimeout(timer);
  }
}
