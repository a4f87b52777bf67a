#!/usr/bin/env node
import { VipError } from "@vipscore/core";
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

// A reader that leaves early, such as `head`, must not end a push in the middle.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  signal: interruption.signal,
});
