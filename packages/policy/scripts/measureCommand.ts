import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Cost of a command with all of its processes. */
export interface CommandCost {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  /** Largest sum of what all processes had in memory at once, in bytes. Pages that they share count for each. */
  readonly peakRss: number;
  /** Largest size of the files in its folder at once, in bytes. */
  readonly peakDisk: number;
}

/** Interval between looks at the memory. */
const lookMs = 20;
/** Looks at the memory for each look at the disk, whose files can be thousands. */
const looksPerDisk = 50;
const pageBytes = 4096;

/** Runs a command of Linux, and measures it. @throws Error with its output if it fails. */
export async function measureCommand(command: readonly string[], cwd: string): Promise<CommandCost> {
  const started = performance.now();
  // `times` prints the CPU time of the shell, and below it that of all processes that it and its children waited for.
  const child = spawn("/bin/sh", ["-c", '"$@" >&2 || exit; times', "sh", ...command], { cwd });
  const [stdout, stderr]: [string[], string[]] = [[], []];
  child.stdout.on("data", (text: Buffer) => stdout.push(text.toString()));
  child.stderr.on("data", (text: Buffer) => stderr.push(text.toString()));
  let peakRss = 0;
  let peakDisk = await diskUse(cwd);
  const ended = once(child, "close");
  const isOver = ended.then(() => true);
  for (let look = 1; !(await Promise.race([isOver, pause(lookMs, false)])); look += 1) {
    peakRss = Math.max(peakRss, await residentOf(child.pid ?? 0));
    if (look % looksPerDisk === 0) peakDisk = Math.max(peakDisk, await diskUse(cwd));
  }
  const wallSeconds = (performance.now() - started) / 1000;
  if (child.exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${child.exitCode}:\n${stderr.join("")}`);
  const [, ofChildren = ""] = stdout.join("").split("\n");
  let cpuSeconds = 0;
  for (const [, minutes, seconds] of ofChildren.matchAll(/(\d+)m([\d.]+)s/g)) {
    cpuSeconds += Number(minutes) * 60 + Number(seconds);
  }
  return { wallSeconds, cpuSeconds, peakRss, peakDisk: Math.max(peakDisk, await diskUse(cwd)) };
}

/** Memory of a process and of those that it started. A process that has ended has none. */
async function residentOf(pid: number): Promise<number> {
  const [statm, children] = await Promise.all(
    [`/proc/${pid}/statm`, `/proc/${pid}/task/${pid}/children`].map((path) => readFile(path, "utf8").catch(() => "")),
  );
  let bytes = Number(statm?.split(" ")[1] ?? 0) * pageBytes;
  for (const child of children?.match(/\d+/g) ?? []) bytes += await residentOf(Number(child));
  return bytes;
}

/** Returns the size of all files in a folder, in bytes; those that are removed meanwhile have none. */
async function diskUse(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
