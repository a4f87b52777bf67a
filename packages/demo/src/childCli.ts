import { spawn } from "node:child_process";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expectThat } from "./demoReport.ts";

/** Result of a `vipscore` process. */
export interface ChildResult {
  /** Exit status; null if a signal ended it. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
}

export interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the child when aborted. */
  readonly signal: AbortSignal;
  /** Called with each line that it writes to stderr. */
  readonly onLine: (line: string) => void;
  /** Kills only the child, with SIGKILL, as soon as this resolves. */
  readonly killWhen?: (stopped: AbortSignal) => Promise<void>;
}

/** Node's arguments for `vipscore`: its sources where the demo runs from its own, else what was built. */
const command =
  extname(import.meta.url) === ".ts"
    ? ["--conditions=@vipscore/source", fileOfCli("src/bin.ts")]
    : [fileOfCli("bin/vipscore.js")];

function fileOfCli(path: string): string {
  return fileURLToPath(new URL(path, import.meta.resolve("@vipscore/cli/package.json")));
}

/** Runs `vipscore` in its own process. */
export async function runChildCli(args: readonly string[], options: ChildOptions): Promise<ChildResult> {
  const child = spawn(process.execPath, [...command, ...args], {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = (): void => void child.kill("SIGTERM");
  options.signal.addEventListener("abort", end, { once: true });
  const stopped = new AbortController();
  const killing = options.killWhen?.(stopped.signal).then(() => child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stderr });
  lines.on("line", options.onLine);
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  try {
    const result = await new Promise<ChildResult>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status, signal) => resolve({ status, signal, stdout }));
    });
    options.signal.throwIfAborted();
    return result;
  } finally {
    options.signal.removeEventListener("abort", end);
    stopped.abort();
    await killing?.catch(() => undefined);
  }
}

/** Returns the object printed by `vipscore … --json`; ends the demo if the command failed. */
export async function answerOf<T>(running: Promise<ChildResult>): Promise<T> {
  const { status, stdout } = await running;
  expectThat(status === 0, `a command ended with status ${status}`);
  return JSON.parse(stdout) as T;
}

/** The fields of `push --json` that the demo reads. */
export interface PushAnswer {
  readonly transactions: readonly { readonly rows: number }[];
}

/** The fields of `verify --json` that the demo reads; the total in decimal digits. */
export interface VerifyAnswer {
  readonly verification: { readonly sha256: { readonly chain: string }; readonly total: { readonly contract: string } };
}
