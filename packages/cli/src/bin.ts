#!/usr/bin/env node
import { fileUnwritable, VipError } from "@vipscore/core/errors";
import { run } from "./run.ts";

hideSqliteWarning();

const interruption = new AbortController();
const interruptedStatus = 130;
/** Ctrl-C reaches the command and what started it, and bunx passes it on: one signal twice within these milliseconds is one. */
const togetherMs = 300;
let first: { readonly name: string; readonly at: number } | undefined;

for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    // The first signal lets the command stop cleanly; the second one ends it immediately.
    first ??= { name, at: performance.now() };
    const isAgain = name !== first.name || performance.now() - first.at > togetherMs;
    if (interruption.signal.aborted && isAgain) process.exit(interruptedStatus);
    interruption.abort(new VipError("interrupted", { code: "INTERRUPTED", cause: name }));
  });
}

const { stdin, stdout, stderr, env } = process;
if (env["npm_command"] === "exec") endWithParent();
let outputFault: VipError | undefined;
stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that exits early, such as `head`, must not interrupt a push; a full disk, however, loses the output.
  if (error.code === "EPIPE" || outputFault !== undefined) return;
  outputFault = fileUnwritable("standard output", error);
  interruption.abort(outputFault);
});
// A command continues even if nobody can read its progress.
stderr.on("error", () => undefined);

process.exitCode = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  signal: interruption.signal,
});

// The last write reports its failure only in a later turn of the event loop.
await new Promise((resolve) => {
  setImmediate(resolve);
});
if (outputFault !== undefined && process.exitCode === 0) {
  stderr.write(`${outputFault.message}   [${outputFault.code}, exit 2]\n`);
  process.exitCode = 2;
}

/** A signal to `npx` ends only the shell in which it starts the command: the end of that shell is the command's SIGTERM. */
function endWithParent(): void {
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    process.emit("SIGTERM");
  }, 500).unref();
}

/**
 * Hides one warning of Node, and no other: that its SQLite is experimental. The command holds locks with it, which no user can
 * change, and its standard error is for what a user can act on.
 */
function hideSqliteWarning(): void {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (...warning: readonly unknown[]): void => {
    const [text, type] = warning;
    if (type === "ExperimentalWarning" && typeof text === "string" && text.startsWith("SQLite is ")) return;
    Reflect.apply(emitWarning, undefined, warning);
  };
}
