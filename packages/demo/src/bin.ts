#!/usr/bin/env node
import { parseArgs } from "node:util";
import { exitStatusOf, InputError, VipError } from "@vipscore/core";
import { systemError } from "@vipscore/core/errors";
import { vms, wrapLines } from "@vipscore/core/values";
import { paint, runDemo, type DemoOptions, type DemoOutput } from "./runDemo.ts";

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
const isJson = args.includes("--json");
const fitting = ({ isTTY, columns }: NodeJS.WriteStream, text: string): string =>
  wrapLines(text, isTTY ? columns || 120 : Infinity);
const note = (text: string): void => console.error(fitting(process.stderr, text));
const output: DemoOutput = {
  print: isJson ? note : (text) => console.log(fitting(process.stdout, text)),
  note,
  json(value) {
    if (!isJson) return;
    console.log(JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? item.toString() : item)));
  },
};
try {
  const options = readOptions();
  if (options === undefined) console.log(usage);
  else {
    const leftOut = await runDemo(output, options, interruption.signal);
    if (leftOut.length > 0) process.exitCode = leftOutStatus;
  }
} catch (error) {
  const cause = interruption.signal.aborted ? interruption.signal.reason : error;
  process.exitCode = reportDemoError(cause);
}

/** Reports on stderr, and with `--json` also on stdout, why the demo ended early; returns its exit status. */
function reportDemoError(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  if (args.includes("--debug")) output.note(error instanceof Error ? (error.stack ?? message) : message);
  const known = VipError.isVipError(error) ? error : systemError(error);
  const report = {
    code: known?.code ?? "INTERNAL",
    message: known?.shortMessage ?? message,
    hints: known?.metaMessages ?? ["This is a bug in vipscore. Run again with --debug and report what it prints."],
    exit: known === undefined ? 1 : exitStatusOf(known.code),
  };
  output.note([`${paint("red", report.message)}   [${report.code}, exit ${report.exit}]`, ...report.hints].join("\n"));
  output.json({ error: report });
  return report.exit;
}

/** Returns the options, or undefined for `--help`. */
function readOptions(): DemoOptions | undefined {
  const { help, vm, seed } = parseOptions();
  if (help) return undefined;
  const only = vms.find((known) => known === vm);
  if (vm !== undefined && only === undefined) {
    throw new InputError(`--vm is not one of ${vms.join(", ")}`, { code: "CONFIG_INVALID" });
  }
  if (seed !== undefined && !(/^\d{1,10}$/.test(seed) && Number(seed) < 2 ** 32)) {
    throw new InputError(`--seed is not an integer from 0 to ${2 ** 32 - 1}`);
  }
  return { vm: only, seed: seed === undefined ? undefined : Number(seed) };
}

function parseOptions() {
  const [text, flag] = [{ type: "string" }, { type: "boolean", default: false }] as const;
  try {
    return parseArgs({ args, options: { vm: text, seed: text, json: flag, debug: flag, help: flag } }).values;
  } catch (cause) {
    throw new InputError("an argument is not known or lacks its value", { cause, metaMessages: [usage] });
  }
}
