#!/usr/bin/env node
import { parseArgs } from "node:util";
import { InputError, VipError } from "@vipscore/core";
import { vms } from "@vipscore/core/values";
import { DemoOutput, reportDemoError } from "./demoOutput.ts";
import { runDemo, type DemoOptions } from "./runDemo.ts";

const usage = `usage: vipscore-demo [options]

Shows on local chains what a push survives: many scores, a kill half-way, a wrong finalize.

  --vm <vm>    one VM only: ${vms.join(", ")}
  --seed <n>   make the scores of an earlier run again
  --json       print one JSON object on stdout, everything for people on stderr
  --debug      print the stack of an error
  --help       print this text

Exit status 3: a VM that was asked for cannot run on this machine; the others were shown.`;

const interruptedStatus = 130;
/** As for a check that failed. */
const leftOutStatus = 3;
const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    // The first signal stops the chains; the second exits immediately.
    if (interruption.signal.aborted) process.exit(interruptedStatus);
    interruption.abort(new VipError("interrupted", { code: "INTERRUPTED" }));
  });
}

const args = process.argv.slice(2);
// Read before parsing, because a mistake in the arguments is reported in the same form.
const output = new DemoOutput({ json: args.includes("--json") });
try {
  const options = readOptions();
  if (options === undefined) console.log(usage);
  else {
    const leftOut = await runDemo(output, { ...options, signal: interruption.signal });
    if (leftOut.length > 0) process.exitCode = leftOutStatus;
  }
} catch (error) {
  const cause = interruption.signal.aborted ? interruption.signal.reason : error;
  process.exitCode = reportDemoError(output, cause, { debug: args.includes("--debug") });
}

/** Returns the options, or undefined for `--help`. */
function readOptions(): Pick<DemoOptions, "vm" | "seed"> | undefined {
  const { help, vm, seed } = parseOptions();
  if (help) return undefined;
  const only = vms.find((known) => known === vm);
  if (vm !== undefined && only === undefined) {
    throw new InputError(`--vm is not one of ${vms.join(", ")}`, { code: "CONFIG_INVALID" });
  }
  return { vm: only, seed: seed === undefined ? undefined : parseSeed(seed) };
}

function parseOptions() {
  const options = {
    vm: { type: "string" },
    seed: { type: "string" },
    json: { type: "boolean" },
    debug: { type: "boolean" },
    help: { type: "boolean", default: false },
  } as const;
  try {
    return parseArgs({ args, options }).values;
  } catch (cause) {
    throw new InputError("an argument is not known or lacks its value", { cause, metaMessages: [usage] });
  }
}

function parseSeed(text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  throw new InputError(`--seed is not an integer from 0 to ${2 ** 32 - 1}`);
}
