import { CheckError, finalizeStage, type ScoreContract, type Stage, type Verification } from "@vipscore/core";
import type { Command } from "commander";
import { ask, canAsk } from "../ask.ts";
import { stageOption, withConnectionOptions, withKeyOption, withTableOptions } from "../commandOptions.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { openJournal } from "../openJournal.ts";
import { group } from "../output/numbers.ts";
import { stageLine } from "../output/stageLine.ts";
import { verificationJson } from "../output/verificationJson.ts";
import { readTable, type TableFlags } from "../readTable.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";

interface FinalizeFlags extends ConnectionFlags, TableFlags {
  readonly stage: Stage;
  readonly file: string;
  readonly yes?: boolean;
  readonly journal?: string;
}

/** Adds `finalize`. */
export function addFinalize(program: Command, context: Context): void {
  withKeyOption(withConnectionOptions(withTableOptions(program.command("finalize"))))
    .description("close a stage for ever, after verifying that the chain holds exactly the file")
    .addOption(stageOption())
    .requiredOption("--file <file>", "the scores that the stage must hold")
    .option("--yes", "do not ask; needed where no person can be asked")
    .option("--journal <file>", "where transactions are noted before they leave")
    .addHelpText("after", "\nExample:\n  $ vipscore finalize --stage 12 --file scores.csv")
    .action((flags: FinalizeFlags) => finalize(context, flags));
}

async function finalize(context: Context, flags: FinalizeFlags): Promise<void> {
  const { io, output } = context;
  const { stage, file } = flags;
  const table = await readTable(context, file, flags);
  const settings = await readSettings(io, flags);
  const contract = await connect(context, settings, flags, "required");
  const journal = await openJournal(context, contract, stage, flags.journal);
  try {
    output.showTransient("reading the chain …");
    const result = await finalizeStage(contract, stage, {
      expect: table,
      journal,
      signal: io.signal,
      confirm: async (verification) => {
        output.print(summary(contract, verification, file));
        return flags.yes === true || (await isConfirmed(context, stage));
      },
    });
    const { hash, height, gasUsed, verification } = result;
    output.print(
      `${output.paint("green", "finalized")} stage ${stage} in block ${group(height)}   (transaction ${hash})`,
    );
    output.json({
      command: "finalize",
      stage,
      contract: contract.identity,
      file: { name: file, rows: table.size, total: table.total, sha256: table.digest() },
      transaction: { hash, height, gasUsed },
      verification: verificationJson(verification),
    });
  } finally {
    await journal.close();
  }
}

function summary(contract: ScoreContract, verification: Verification, file: string): string {
  const { stage, total, accounts, digest, height, isFinalized } = verification;
  const width = Math.max(file.length, `stage ${stage}`.length, "chain".length) + 2;
  return [
    `${`stage ${stage}`.padEnd(width)}${stageLine(contract.identity, { isFinalized, total: total.contract, accounts, height })}`,
    `${file.padEnd(width)}sha256 ${digest.expected}`,
    `${"chain".padEnd(width)}sha256 ${digest.actual}`,
  ].join("\n");
}

/** Asks for the stage number: a word typed out of habit must not close a stage. */
async function isConfirmed({ io, output }: Context, stage: Stage): Promise<boolean> {
  if (!canAsk(io)) {
    throw new CheckError(`finalizing stage ${stage} cannot be undone and nobody can be asked here`, {
      code: "CONFIRMATION_MISSING",
      metaMessages: ["Everything was checked and nothing was sent. Run with --yes to finalize."],
    });
  }
  output.note(`\nScores of stage ${stage} can never change afterwards.`);
  return (await ask(io, `Type the stage number to finalize it: `))?.trim() === stage.toString();
}
