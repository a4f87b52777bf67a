import { spawnSync } from "node:child_process";

// No step takes a minute; an npm that hangs must fail instead of blocking the release.
const boundMs = 300_000;

/** Exit status and output of npm. */
export interface NpmResult {
  readonly status: number | null;
  readonly stdout: string;
}

/** Runs npm in a folder; stderr is shown. */
export function runNpm(args: readonly string[], cwd: string): NpmResult {
  const { status, stdout, error } = spawnSync("npm", args, {
    cwd,
    encoding: "utf8",
    timeout: boundMs,
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
  });
  if (error !== undefined) throw error;
  return { status, stdout };
}

/**
 * Runs npm in a folder and returns its output.
 *
 * @throws Error when npm fails.
 */
export function npmOutput(args: readonly string[], cwd: string): string {
  const { status, stdout } = runNpm(args, cwd);
  if (status !== 0) throw new Error(`npm ${args[0]} ended with status ${status}`);
  return stdout;
}
