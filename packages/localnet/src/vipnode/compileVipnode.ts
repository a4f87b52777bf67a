import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { VipError } from "@vipscore/core";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";
import type { VipnodeVm } from "../localNode.ts";

/**
 * Without the checkout's path: another checkout finds the compiled packages in Go's cache. Without debug information: compiling
 * takes a tenth less. The tests of vipnode use the same flags, so that they share the result.
 */
const flags = ["-trimpath", "-gcflags=all=-dwarf=false", "-ldflags=-s -w"];

/** Progress of a build. */
export interface VipnodeBuildProgress {
  /** Packages that the compiler has started. */
  readonly compiled: number;
  /** Packages that the programs need; 0 while modules are downloaded. Already compiled packages are never reported. */
  readonly packages: number;
  /** The package or module in progress. */
  readonly current: string;
}

export interface CompileVipnodeOptions {
  /** The VMs of the chains; there is one program for each. */
  readonly vms: readonly VipnodeVm[];
  /** Called for each module that is downloaded and each package that is compiled. */
  readonly onProgress?: (progress: VipnodeBuildProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * Compiles the programs `vipnode-<vm>` from one folder into another. A single compiler run builds them all, because
 * they share most packages.
 */
export async function compileVipnode(folder: string, output: string, options: CompileVipnodeOptions): Promise<void> {
  const { vms, onProgress, signal } = options;
  const names = vms.map((vm) => `vipnode-${vm}`);
  const sources = names.map((name) => `./cmd/${name}`);
  let compiled = 0;
  let packages = 0;
  const onLine = (line: string): void => {
    const module = /^go: downloading (\S+)/.exec(line)?.[1];
    if (module === undefined) compiled = Math.min(compiled + 1, packages);
    onProgress?.({ compiled, packages, current: module ?? line });
  };
  const steps = { folder, onLine, signal };
  // This also downloads the modules.
  const listed = await runGo(["list", "-deps", ...sources], steps);
  if (listed.status === 0) packages = listed.stdout.split("\n").length - 1;
  compiled = 0;
  const built = await runGo(["build", "-v", ...flags, "-o", `${output}/`, ...sources], steps);
  if (built.status === 0) return;
  throw new VipError(`the build of ${names.join(" and ")} failed with status ${built.status}`, {
    code: "CONFIG_INVALID",
    details: built.stderr,
    metaMessages: [built.stderr.trim()],
  });
}

const keptLines = 20;

/** Less frequent garbage collection makes the compiler faster, for about 100 MB more memory. */
const collectorPercent = "400";

/** Runs `go` in a folder; `onLine` gets each line of standard error, and the result has the last ones. Throws the signal's reason when aborted. */
async function runGo(
  args: readonly string[],
  { folder, onLine, signal }: { folder: string; onLine: (line: string) => void; signal: AbortSignal | undefined },
): Promise<{ status: number | null; stdout: string; stderr: string }> {
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
