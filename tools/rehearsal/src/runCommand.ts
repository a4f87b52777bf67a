import { spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";

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

/**
 * Returns the environment of a user's shell: without what the npm and the Nx around this process have set, which would reach
 * into the projects, and with this process's Node first on the PATH.
 *
 * @param userConfig Path of the npmrc that replaces the user's own.
 * @param cache Folder of npm's cache.
 */
export function cleanEnvironment(userConfig: string, cache: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm|nx|github)_|^(node_options|init_cwd)$/i.test(name),
  );
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return {
    ...Object.fromEntries(kept),
    PATH: [dirname(process.execPath), ...folders].join(delimiter),
    npm_config_userconfig: userConfig,
    npm_config_cache: cache,
  };
}
