import { spawn } from "node:child_process";

/** The folder and environment that a command runs in. */
export interface CommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

// The slowest command, the installation of all packages, takes about a minute on two busy cores.
const boundMs = 600_000;

/**
 * Runs a command to its end and returns its standard output.
 *
 * @throws Error with all output if the command fails, or does not end within ten minutes: then it is killed, with the
 * processes that it started.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env }: CommandOptions,
): Promise<string> {
  // A separate process group can be killed as a whole: npm starts further processes.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, all] = ["", ""];
  child.stdout.on("data", (data: Buffer) => {
    stdout += data.toString();
    all += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => (all += data.toString()));
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
    throw new Error(`${[command, ...args].join(" ")}: ${end || `status ${status}`}\n${all}`);
  } finally {
    clearTimeout(timer);
  }
}
