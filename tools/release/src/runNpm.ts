import { spawnSync } from "node:child_process";

// No step takes a minute; an npm that hangs must fail instead of blocking the release.
const boundMs = 300_000;

/** What npm did. */
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
