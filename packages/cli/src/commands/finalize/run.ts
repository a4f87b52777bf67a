import {
  CheckError,
  finalizeStage,
  prepareFinalize,
  type FinalizeOptions,
  type ScoreContract,
  type Stage,
  type Verification,
} from "@vipscore/core";
import { checkStageToFinalize, type VipStage } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import { openJournal } from "../../contract/openJournal.ts";
import { StageManifest } from "../../evidence/stageManifest.ts";
import { readTable, tableName, type TableFlags } from "../../files/readTable.ts";
import { ask, canAsk } from "../../io/ask.ts";
import { findL1Stage, l1StageJson } from "../../l1/l1Stage.ts";
import { group } from "../../output/numbers.ts";
import { stageLine } from "../../output/stageLine.ts";
import { verificationJson } from "../../output/verificationJson.ts";
import { readSettings, type ConnectionFlags, type Settings } from "../../settings/readSettings.ts";
import { writeUnsigned } from "../../unsigned/writeUnsigned.ts";

/** The flags of `finalize`. */
export interface FinalizeFlags extends ConnectionFlags, TableFlags {
  readonly stage: Stage;
  readonly file: string;
  readonly yes?: boolean;
  readonly early?: boolean;
  readonly journal?: string;
  readonly manifest?: string;
}

/** Finalizes a stage that holds exactly the file: `finalize`. */
export async function finalizeFile(context: Context, flags: FinalizeFlags): Promise<void> {
  const { io, output } = context;
  const { stage } = flags;
  const file = tableName(flags.file);
  const manifest = flags.manifest === undefined ? undefined : await StageManifest.open(context, flags.manifest, stage);
  const settings = await readSettings(context, flags);
  const table = await readTable(context, settings.vm, flags.file, flags);
  manifest?.requireTable(table, file);
  const contract = await connect(context, settings, flags, "required");
  manifest?.requireContract(contract.identity);
  const l1 = await checkL1(context, settings, flags);
  const report = {
    command: "finalize",
    stage,
    contract: contract.identity,
    file: { name: file, rows: table.size, total: table.total, sha256: table.digest() },
    l1: l1StageJson(l1),
  };
  const { unsigned } = flags;
  const options: FinalizeOptions = {
    expect: table,
    signal: io.signal,
    confirm: async (verification) => {
      if (verification.revision === undefined) {
        output.warn(
          "a reference contract checks nothing: a score that changes right before the finalize is detected only after the stage is final",
        );
      }
      output.print(summary(contract, verification, file, l1));
      return unsigned !== undefined || flags.yes === true || (await isConfirmed(context, stage));
    },
  };
  const already = (height: bigint): string =>
    `stage ${stage} is already finalized and holds exactly ${file}, read at height ${group(height)}`;
  if (unsigned !== undefined) {
    output.showTransient("reading the chain …");
    const { call, verification } = await prepareFinalize(contract, stage, options);
    const written = call && (await writeUnsigned(context, contract, call, unsigned));
    if (written === undefined) output.print(already(verification.height));
    else if (call?.expected !== undefined) {
      output.note("a write to the stage before it is executed makes it fail: run this again then for another file");
    }
    output.json({
      ...report,
      transaction: null,
      verification: verificationJson(verification),
      ...(written && { unsigned: written }),
    });
    return;
  }
  const journal = await openJournal(context, contract, stage, flags.journal);
  try {
    output.showTransient("reading the chain …");
    const { transaction, verification } = await finalizeStage(contract, stage, { ...options, journal });
    output.print(
      transaction === undefined
        ? already(verification.height)
        : `${output.paint("green", "finalized")} stage ${stage} in block ${group(transaction.height)}   (transaction ${transaction.hash})`,
    );
    await manifest?.record(contract.identity, ({ finalization }) => ({
      finalization: transaction?.hash ?? finalization ?? null,
    }));
    output.json({ ...report, transaction: transaction ?? null, verification: verificationJson(verification) });
  } finally {
    await journal.close();
  }
}

/** Checks that L1 has moved past the stage, if L1 is known. */
async function checkL1(
  context: Context,
  settings: Settings,
  { stage, early = false }: FinalizeFlags,
): Promise<VipStage | undefined> {
  const { output } = context;
  const l1 = await findL1Stage(context, settings);
  if (l1 !== undefined) {
    for (const warning of checkStageToFinalize(l1, stage, { early })) output.warn(warning);
  } else if (settings.localNode === undefined) {
    output.warn(`not checked whether L1 has moved past stage ${stage}: set --l1-rest-url or L1_REST_URL`);
  }
  return l1;
}

function summary(contract: ScoreContract, verification: Verification, file: string, l1: VipStage | undefined): string {
  const { stage, total, accounts, digest, height, isFinalized } = verification;
  const width = Math.max(file.length, `stage ${stage}`.length, "chain".length) + 2;
  return [
    `${`stage ${stage}`.padEnd(width)}${stageLine(contract.identity, { isFinalized, total: total.contract, accounts, height }, l1)}`,
    `${file.padEnd(width)}sha256 ${digest.expected}`,
    `${"chain".padEnd(width)}sha256 ${digest.actual}`,
  ].join("\n");
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
