import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { VipError } from "@vipscore/core";
import type { VipnodeVm } from "../localNode.ts";
import { findGo } from "./goToolchain.ts";
import { digestVipnodeSources, findVipnodeSources } from "./vipnodeSources.ts";

/** How far a build is: packages that were compiled, of all that the program needs; both grow while modules are fetched. */
export interface VipnodeBuildProgress {
  readonly compiled: number;
  readonly packages: number;
  /** The package or module that the build is at. */
  readonly current: string;
}

export interface BuildVipnodeOptions {
  /** The VM of the chain: each has a program of its own. */
  readonly vm: VipnodeVm;
  /** Called for each package; not at all when the program is there already. */
  readonly onProgress?: (progress: VipnodeBuildProgress) => void;
  readonly signal?: AbortSignal;
}

/** Where builds lie, below the sources. */
const buildFolder = ".build";

/**
 * The build that is under way in this process, or the last one. The programs have most of their packages in common: one
 * after the other compiles those once, both at a time twice.
 */
let lastBuild: Promise<unknown> = Promise.resolve();

/**
 * Gives the program `vipnode-move` or `vipnode-wasm`, built from the Go sources of `@vipscore/vipnode`. It is built when the sources, the
 * compiler or the platform have changed since the last build, and found again otherwise.
 *
 * @returns the program's path.
 * @throws CONFIG_INVALID when the sources or Go are missing, or the build fails; the signal's reason when aborted.
 */
export function buildVipnode(options: BuildVipnodeOptions): Promise<string> {
  const build = lastBuild.then(() => buildProgram(options));
  lastBuild = build.catch(() => undefined);
  return build;
}

async function buildProgram(options: BuildVipnodeOptions): Promise<string> {
  const { vm } = options;
  const folder = findVipnodeSources();
  if (folder === undefined) {
    throw new VipError("a local Move or Wasm chain needs the package @vipscore/vipnode beside this one", {
      code: "CONFIG_INVALID",
      metaMessages: [
        "Install it, or start a minitiad of your own and name its endpoint, --rest-url on Move and --rpc-node-url on Wasm.",
      ],
    });
  }
  const go = await findGo();
  const digest = await digestVipnodeSources(folder, `${go} ${process.platform} ${process.arch}`);
  const name = `vipnode-${vm}-${digest}`;
  const program = join(folder, buildFolder, name);
  if (existsSync(program)) return program;
  await mkdir(join(folder, buildFolder), { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  try {
    await compile(folder, unfinished, options);
    // Two builds at once end with the same program: whoever is last puts an equal one in place.
    await rename(unfinished, program);
  } finally {
    await rm(unfinished, { force: true });
  }
  await removeOlder(join(folder, buildFolder), vm, name);
  return program;
}

async function compile(folder: string, output: string, options: BuildVipnodeOptions): Promise<void> {
  const { vm, onProgress, signal } = options;
  const source = `./cmd/vipnode-${vm}`;
  const packages = onProgress === undefined ? 0 : await countPackages(folder, source, signal);
  let compiled = 0;
  const report = (line: string): void => {
    const module = /^go: downloading (\S+)/.exec(line)?.[1];
    if (module === undefined) compiled += 1;
    onProgress?.({ compiled: Math.min(compiled, packages), packages, current: module ?? line });
  };
  const flags = ["-v", "-ldflags=-s -w", "-o", output];
  const { status, stderr } = await runGo(folder, ["build", ...flags, source], report, signal);
  if (status === 0) return;
  throw new VipError(`the build of vipnode-${vm} failed with status ${status}`, {
    code: "CONFIG_INVALID",
    details: stderr,
    metaMessages: [stderr.trim()],
  });
}

/** The number of packages that the program is made of; 0 where it cannot be told before modules are there. */
async function countPackages(folder: string, source: string, signal: AbortSignal | undefined): Promise<number> {
  const { status, stdout } = await runGo(folder, ["list", "-deps", source], () => undefined, signal);
  return status === 0 ? stdout.split("\n").length - 1 : 0;
}

interface GoResult {
  readonly status: number | null;
  readonly stdout: string;
  /** The last lines that are no progress. */
  readonly stderr: string;
}

async function runGo(
  folder: string,
  args: readonly string[],
  onLine: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<GoResult> {
  signal?.throwIfAborted();
  const child = spawn("go", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const end = (): void => void child.kill("SIGTERM");
  signal?.addEventListener("abort", end, { once: true });
  const tail: string[] = [];
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  createInterface({ input: child.stderr }).on("line", (line) => {
    tail.push(line);
    if (tail.length > 20) tail.shift();
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

/** A program of some 60 MB for each state of the sources would add up. One that runs keeps its file until it ends. */
async function removeOlder(folder: string, vm: VipnodeVm, newest: string): Promise<void> {
  const names = await readdir(folder);
  const built = new RegExp(`^vipnode-${vm}-[0-9a-f]{16}$`);
  const older = names.filter((name) => built.test(name) && name !== newest);
  await Promise.all(older.map((name) => rm(join(folder, name), { force: true })));
}
