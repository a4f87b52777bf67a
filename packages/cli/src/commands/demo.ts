import { InputError } from "@vipscore/core";
import type { Command } from "commander";
import { withOutputOptions } from "../commandOptions.ts";
import type { Context } from "../context.ts";
import { vms } from "../rollup/rollups.ts";
import { checkVm } from "../settings/findVm.ts";

/** Adds `demo`. */
export function addDemo(program: Command, context: Context): void {
  withOutputOptions(program.command("demo"))
    .description("show on local chains what a push survives: many scores, a kill half-way, a wrong finalize")
    .option("--vm <vm>", `one VM only: ${vms.join(", ")}`)
    .option("--seed <n>", "make the scores of an earlier run again", parseSeed)
    .addHelpText("after", "\nExample:\n  $ vipscore demo")
    .action(async ({ vm, seed }: { readonly vm?: string; readonly seed?: number }) => {
      const only = vm === undefined ? undefined : checkVm({ value: vm, source: "--vm" });
      // It loads every chain library, which no other command has to wait for.
      const { runDemo } = await import("../demo/runDemo.ts");
      return runDemo(context, { vm: only, seed });
    });
}

function parseSeed(text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  throw new InputError(`--seed "${text}" is not an integer from 0 to ${2 ** 32 - 1}`);
}
