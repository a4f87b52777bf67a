import { CheckError, finalizeStage, prepareFinalize, type FinalizeOptions, type Stage } from "@vipscore/core";
import type { Context } from "../../context.ts";
import { openJournal } from "../../contract/openJournal.ts";
import { ask, canAsk } from "../../io/ask.ts";
import { writeUnsigned } from "../../unsigned/writeUnsigned.ts";
import { prepareFinalizeFile, type FinalizeFlags, type PreparedFinalize } from "./prepare.ts";
import { alreadyText, finalizedText, finalizeJson, summaryText } from "./report.ts";

/** Finalizes a stage that holds exactly the file: `finalize`. */
export async function finalizeFile(context: Context, flags: FinalizeFlags): Promise<void> {
  const { io, output } = context;
  const prepared = await prepareFinalizeFile(context, flags);
  const needsNoAnswer = flags.unsigned !== undefined || flags.yes === true;
  const options: FinalizeOptions = {
    expect: prepared.table,
    signal: io.signal,
    ...(prepared.second && { second: prepared.second }),
    confirm: async (verification) => {
      if (verification.revision === undefined) {
        output.warn(
          "a reference contract checks nothing: a score that changes right before the finalize is detected only after the stage is final",
        );
      }
      if (verification.total.contract === 0n) {
        output.warn(`stage ${flags.stage} has no scores: once it is final, no account can ever be rewarded for it`);
      }
      output.print(summaryText(prepared, verification));
      return needsNoAnswer || (await isConfirmed(context, flags.stage));
    },
  };
  if (flags.unsigned === undefined) await send(context, prepared, options, flags.journal);
  else await write(context, prepared, options, flags.unsigned);
}

/** Writes the call for others to sign: `--unsigned`. */
async function write(
  context: Context,
  prepared: PreparedFinalize,
  options: FinalizeOptions,
  path: string,
): Promise<void> {
  const { output } = context;
  const { contract, stage } = prepared;
  output.showTransient("reading the chain …");
  const { call, verification } = await prepareFinalize(contract, stage, options);
  const unsigned = call && (await writeUnsigned(context, contract, call, path));
  if (unsigned === undefined) output.print(alreadyText(prepared, verification));
  else if (call?.expected !== undefined) {
    output.note("a write to the stage before it is executed makes it fail: run this again then for another file");
  }
  output.json({ ...finalizeJson(prepared, undefined, verification), ...(unsigned && { unsigned }) });
}

async function send(
  context: Context,
  prepared: PreparedFinalize,
  options: FinalizeOptions,
  journalFile: string | undefined,
): Promise<void> {
  const { output } = context;
  const { contract, stage, manifest } = prepared;
  const journal = await openJournal(context, contract, stage, journalFile);
  try {
    output.showTransient("reading the chain …");
    const { transaction, verification } = await finalizeStage(contract, stage, { ...options, journal });
    output.print(
      transaction === undefined ? alreadyText(prepared, verification) : finalizedText(output, stage, transaction),
    );
    const recorded = await manifest?.record(contract.identity, ({ finalization }) => ({
      finalization: transaction?.hash ?? finalization ?? null,
    }));
    if (recorded !== undefined) output.note(recorded);
    output.json(finalizeJson(prepared, transaction, verification));
  } finally {
    await journal.close();
  }
}

/** Asks for the stage number: a word typed out of habit must not close a stage. */
async function isConfirmed({ io, output }: Context, stage: Stage): Promise<boolean> {
  if (!canAsk(io)) {
    throw new CheckError(
      `finalizing stage ${stage} cannot be undone, and there is no terminal to ask for confirmation`,
      {
        code: "CONFIRMATION_MISSING",
        metaMessages: ["Everything was checked and nothing was sent. Run with --yes to finalize."],
      },
    );
  }
  output.note(`\nAfter this, scores of stage ${stage} can never change.`);
  return (await ask(io, `Type the stage number to finalize it: `))?.trim() === stage.toString();
}
