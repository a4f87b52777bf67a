import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";

/** Result of a run of the `go` command. */
export interface GoResult {
  readonly status: number | null;
  readonly stdout: string;
  /** The last lines of standard error. */
  readonly stderr: string;
}

export interface RunGoOptions {
  readonly folder: string;
  /** Called with each line of standard error. */
  readonly onLine: (line: string) => void;
  readonly signal: AbortSignal | undefined;
}

const keptLines = 20;

/** Less frequent garbage collection makes the compiler faster, for about 100 MB more memory. */
const collectorPercent = "400";

/** Runs `go` in a folder. Throws the signal's reason when aborted. */
export async function runGo(args: readonly string[], { folder, onLine, signal }: RunGoOptions): Promise<GoResult> {
  signal?.throwIfAborted();
  const env = { GOGC: collectorPercent, ...nodeEnvironment(process.env) };
  const child = spawn("go", args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const end = (): void => void child.kill("SIGTERM");
  signal?.addEventListener("abort", end, { once: true });
  const tail: string[] = [];
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  createInterface({ input: child.stderr }).on("line", (line) => {
    tail.push(line);
    if (tail.length > keptLines) tail.shift();
    onLine(line);
  });
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    signal?.throwIfAborted();
    return { status, stdout, stderr: tail.join("\n") };
  } finally {
    signal?.removeEventListener("abort", end);
  }
}
