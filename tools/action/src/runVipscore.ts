import { spawn } from "node:child_process";

export interface VipscoreResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the `vipscore` on the PATH; its messages also appear in `log`, by default that of the workflow. */
export async function runVipscore(
  args: readonly string[],
  log: (text: string) => void = (text) => process.stderr.write(text),
): Promise<VipscoreResult> {
  const child = spawn("vipscore", args, { stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    log(text);
  });
  const status = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve(code ?? 1);
    });
  });
  return { status, stdout, stderr };
}
