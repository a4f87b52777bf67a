import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Runs a function beside a program that serves it, and ends the program. Its errors are shown.
 *
 * @param use Gets a function that throws if the program has ended.
 */
export async function withProgram(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: NodeJS.ProcessEnv,
  use: (check: () => void) => Promise<void>,
): Promise<void> {
  // In a process group of its own: the program may be a script that starts it.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "close");
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  try {
    await use(() => {
      if (hasEnded()) throw new Error(`${[program, ...args].join(" ")}: status ${child.exitCode}`);
    });
  } finally {
    if (child.pid !== undefined && !hasEnded()) process.kill(-child.pid);
    await ended;
  }
}
