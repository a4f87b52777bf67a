#!/usr/bin/env node
import { fileUnwritable, VipError } from "@vipscore/core";
import { run } from "./run.ts";

const interruption = new AbortController();
const interruptedStatus = 130;

for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    // The first signal lets the command come to rest; whoever asks twice wants out now.
    if (interruption.signal.aborted) process.exit(interruptedStatus);
    interruption.abort(new VipError("interrupted", { code: "INTERRUPTED" }));
  });
}

const { stdin, stdout, stderr, env } = process;
let outputFault: VipError | undefined;
stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that leaves early, such as `head`, must not end a push in the middle; a full disk loses what was asked for.
  if (error.code === "EPIPE" || outputFault !== undefined) return;
  outputFault = fileUnwritable("standard output", error);
  interruption.abort(outputFault);
});
// A command does its work also where nobody can read how far it is.
stderr.on("error", () => undefined);

process.exitCode = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  signal: interruption.signal,
});

// What was written last fails a moment later.
await new Promise((resolve) => {
  setImmediate(resolve);
});
if (outputFault !== undefined && process.exitCode === 0) {
  stderr.write(`${outputFault.message}   [${outputFault.code}, exit 2]\n`);
  process.exitCode = 2;
}
