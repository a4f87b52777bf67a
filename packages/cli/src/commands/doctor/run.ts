import type { Command } from "commander";
import { count } from "@vipscore/core/values";
import { withoutNotes, type Context } from "../../context.ts";
import {
  bridgeIdOption,
  rollupRestUrlOption,
  withConnectionOptions,
  withKeyOption,
  withL1Options,
} from "../../options.ts";
import { RefusedReport } from "../../output/reportError.ts";
import { findingLines } from "../../output/table.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";
import { examineRollup } from "./examineRollup.ts";
import { Findings } from "./findings.ts";

export function addDoctor(command: Command, context: Context): void {
  withL1Options(withKeyOption(withConnectionOptions(command)))
    .addOption(bridgeIdOption("asks the rollup"))
    .addOption(rollupRestUrlOption())
    .option("--quiet", "print only what requires action, and nothing if nothing does: for cron")
    .addHelpText("after", "\nExamples:\n  $ vipscore doctor\n  $ vipscore doctor --quiet")
    .action((flags: DoctorFlags) => runDoctor(context, flags));
}

interface DoctorFlags extends ConnectionFlags {
  readonly bridgeId?: bigint;
  readonly quiet?: true;
}

async function runDoctor(given: Context, flags: DoctorFlags): Promise<void> {
  const context = flags.quiet === true ? withoutNotes(given) : given;
  const { output, signal } = context;
  const report = new Findings(signal);
  const { contract } = await examineRollup(context, await readSettings(context, flags), flags, report);
  const found = report.inOrder;
  const checks = found.map(({ check, state, text, fix }) => ({ check, state, text, fix }));
  const object = { command: "doctor", contract: contract?.identity, checks };
  const actions = found.filter(({ state }) => state === "action");
  const shown = flags.quiet === true ? actions : found;
  if (shown.length > 0) output.print(findingLines(output, shown).join("\n"));
  if (actions.length === 0) return output.json(object);
  throw new RefusedReport(`${actions.length} of ${count(found.length, "check")} require action`, {
    code: "ACTION_REQUIRED",
    report: object,
  });
}
