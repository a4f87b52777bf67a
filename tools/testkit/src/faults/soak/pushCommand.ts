import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../../../../packages/cli/src/bin.ts", import.meta.url));

export interface PushEnd {
  /** Exit status; null if a signal ended it. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The error's code; undefined on success, or if the command printed none. */
  readonly code: string | undefined;
  /** The height at which it read the stage to plan, and that at which it says that the stage holds the file; undefined if it does not. */
  readonly heights: { readonly planned: bigint; readonly verified: bigint } | undefined;
  readonly stderr: string;
  /** True if it confirmed nothing for the time limit and was killed. */
  readonly hung: boolean;
}

export interface PushCommandOptions {
  readonly contract: string;
  /** A folder with `scores.csv`; the journal is stored there. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds without a confirmed batch after which the command counts as hung and is killed. */
  readonly boundMs: number;
}

/** A push in its own process. */
export interface RunningPush {
  readonly ended: Promise<PushEnd>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** Starts `vipscore push scores.csv --stage 1`. */
export function startPush({ contract, cwd, environment, boundMs }: PushCommandOptions): RunningPush {
  const args = ["push", "scores.csv", "--stage", "1", "--contract", contract, "--journal", "journal.jsonl", "--json"];
  const child = spawn(process.execPath, ["--conditions=@vipscore/source", bin, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  let hung = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const timer = setTimeout(() => {
    hung = true;
    child.kill("SIGKILL");
  }, boundMs);
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    // Hundreds of batches with faults may take longer than the limit; one does not.
    if (/^batch /m.test(text)) timer.refresh();
  });
  const ended = new Promise<PushEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status, signal) => {
      clearTimeout(timer);
      resolve({ status, signal, ...readReport(stdout), stderr, hung });
    });
  });
  return { ended, kill: (signal) => void child.kill(signal) };
}

function readReport(stdout: string): Pick<PushEnd, "code" | "heights"> {
  try {
    const { error, plan, verification } = JSON.parse(stdout) as {
      readonly error?: { readonly code?: string };
      readonly plan?: { readonly height: string };
      readonly verification?: {
        readonly agrees: boolean;
        readonly height: string;
      } | null;
    };
    const isVerified = plan !== undefined && verification?.agrees === true;
    const heights = isVerified ? { planned: BigInt(plan.height), verified: BigInt(verification.height) } : undefined;
    return { code: error?.code, heights };
  } catch {
    return { code: undefined, heights: undefined };
  }
}
