import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, TestRunner } from "vitest";

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url));
const started: Child[] = [];

/** The command in a separate process. */
export interface Child {
  readonly process: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** Exit status. */
  readonly ended: Promise<number | null>;
}

/** The program and the arguments that start the command. */
export const cliCommand: readonly [string, ...string[]] = [process.execPath, "--conditions=@vipscore/source", bin];

/** Starts the command; it ends with its test, otherwise by {@link killChildren}. */
export function startCli(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Child {
  return startChild([...cliCommand, ...args], cwd, env);
}

/** Starts any program the way {@link startCli} starts the command. */
export function startChild(
  [program = "", ...args]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Child {
  const child = spawn(program, args, { cwd, env: { PATH: process.env["PATH"], ...env } });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (data: Buffer) => (output.stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (output.stderr += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const result = { process: child, output, ended };
  started.push(result);
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(killChildren);
  return result;
}

/** Starts the script of a game as npm does, with the command on its PATH. */
export async function startScript(file: string, cwd: string, env: NodeJS.ProcessEnv = {}) {
  const folder = join(cwd, "bin");
  await mkdir(folder, { recursive: true });
  const shell = `#!/bin/sh\nexec ${cliCommand.map((word) => `'${word}'`).join(" ")} "$@"\n`;
  await writeFile(join(folder, "vipscore"), shell, { mode: 0o755 });
  const script = [process.execPath, "--conditions=@vipscore/source", file];
  return startChild(script, cwd, { ...env, PATH: `${folder}:${process.env["PATH"]}` });
}

/** Ends every process that {@link startCli} started. */
export async function killChildren(): Promise<void> {
  for (const child of started.splice(0)) {
    child.process.kill("SIGKILL");
    await child.ended;
  }
}
