import { spawn } from "node:child_process";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * Runs `vipscore` in its own process, and kills only it, with SIGKILL, as soon as `killWhen` resolves. The status is null if a
 * signal ended it.
 */
export type ChildCli = (
  args: readonly string[],
  killWhen?: (stopped: AbortSignal) => Promise<void>,
) => Promise<{ readonly status: number | null; readonly signal: NodeJS.Signals | null; readonly stdout: string }>;

/** Node's arguments for `vipscore`: its sources where the demo runs from its own, else what was built. */
const command =
  extname(import.meta.url) === ".ts"
    ? ["--conditions=@vipscore/source", fileOfCli("src/bin.ts")]
    : [fileOfCli("bin/vipscore.js")];

function fileOfCli(path: string): string {
  return fileURLToPath(new URL(path, import.meta.resolve("@vipscore/cli/package.json")));
}

export function childCli({
  signal,
  onLine,
  ...options
}: {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  onLine: (line: string) => void;
}): ChildCli {
  return async (args, killWhen) => {
    const child = spawn(process.execPath, [...command, ...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const end = (): void => void child.kill("SIGTERM");
    signal.addEventListener("abort", end, { once: true });
    const stopped = new AbortController();
    const killing = killWhen?.(stopped.signal).then(() => child.kill("SIGKILL"));
    createInterface({ input: child.stderr }).on("line", onLine);
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    try {
      const result = await new Promise<Awaited<ReturnType<ChildCli>>>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (status, killedBy) => resolve({ status, signal: killedBy, stdout }));
      });
      signal.throwIfAborted();
      return result;
    } finally {
      signal.removeEventListener("abort", end);
      stopped.abort();
      await killing?.catch(() => undefined);
    }
  };
}
