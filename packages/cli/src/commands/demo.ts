import { InputError } from "@vipscore/core";
import type { Command } from "commander";
import { withOutputOptions } from "../commandOptions.ts";
import type { Context } from "../context.ts";
import { runDemo } from "../demo/runDemo.ts";

/** Adds `demo`. */
export function addDemo(program: Command, context: Context): void {
  withOutputOptions(program.command("demo"))
    .description("show on a local chain what a push survives: 10,000 scores, a kill half-way, a wrong finalize")
    .option("--seed <n>", "make the scores of an earlier run again", parseSeed)
    .addHelpText("after", "\nExample:\n  $ vipscore demo")
    .action((flags: { readonly seed?: number }) => runDemo(context, flags.seed));
}

function parseSeed(text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  throw new InputError(`--seed "${text}" is not an integer from 0 to ${2 ** 32 - 1}`);
}
