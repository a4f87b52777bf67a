import { execFileSync } from "node:child_process";

/** Runs a program in a folder and returns its standard output; standard error is shown. */
export function runProgram(program: string, args: readonly string[], cwd: string): string {
  return execFileSync(program, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
  });
}
