import { planPush, type Stage } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import { checkStageToWrite } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import { hasJournal, openJournal } from "../../contract/openJournal.ts";
import { sendPlan } from "../../contract/sendPlan.ts";
import { openManifest, readTable, tableName, type TableFlags } from "../../files/readTable.ts";
import { findL1Stage } from "../../l1/l1Stage.ts";
import { planText } from "../../output/planText.ts";
import { RefusedReport } from "../../output/reportError.ts";
import { verificationJson } from "../../output/verificationJson.ts";
import { agreementLine } from "../../output/verificationText.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";
import { dryRunEnding, pushJson } from "./report.ts";

/** The flags of `push`. */
export interface PushFlags extends ConnectionFlags, TableFlags {
  readonly stage: Stage;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly packed?: boolean;
  readonly othersWrite?: boolean;
  readonly journal?: string;
  readonly manifest?: string;
}

/** Writes a file's scores to a stage and verifies them: `push`. */
export async function pushFile(context: Context, path: string, flags: PushFlags): Promise<void> {
  const { io, output } = context;
  const file = tableName(path);
  const { signal } = io;
  const isDryRun = flags.dryRun === true;
  const manifest = await openManifest(context, flags.manifest, flags.stage, { willRecord: true });
  const settings = await readSettings(context, flags);
  const table = await readTable(context, settings.vm, path, flags);
  manifest?.requireTable(table, file);
  const contract = await connect(context, settings, flags, isDryRun ? "optional" : "required");
  manifest?.requireContract(contract.identity);
  const l1 = await findL1Stage(context, settings);
  if (l1 !== undefined) for (const warning of checkStageToWrite(l1, flags.stage)) output.warn(warning);
  // A dry run creates no file, but its plan must include what an earlier push of the signer left pending.
  const isKnown = contract.signer !== undefined && hasJournal(context, contract, flags.stage, flags.journal);
  const wantsJournal = !isDryRun || isKnown;
  const journal = wantsJournal ? await openJournal(context, contract, flags.stage, flags.journal) : undefined;
  try {
    output.showTransient("reading the chain …");
    const plan = await planPush(contract, flags.stage, table, {
      prune: flags.prune === true,
      packed: flags.packed === true,
      compareEntryPoints: isDryRun,
      signal,
      ...(journal === undefined ? {} : { journal }),
    });
    output.print(planText(plan, file, contract.identity, l1));
    const report = pushJson(file, contract.identity, plan, l1);
    if (isDryRun || journal === undefined) {
      output.print(`\n${dryRunEnding(plan, file)}`);
      output.json({ ...report, dryRun: true, transactions: [], verification: null });
      return;
    }
    const nothingToDo = plan.rows.length === 0 && plan.counts.extra === 0;
    output.print(nothingToDo ? `\nnothing to do: the chain already holds ${file}` : "");
    const { transactions, verification, otherWrites } = await sendPlan(context, contract, plan, {
      journal,
      onDevice: flags.ledger !== undefined,
    });
    // The journal also has those of an earlier push that was interrupted.
    const recorded = await manifest?.record(contract.identity, (chain) => ({
      transactions: [...new Set([...chain.transactions, ...journal.written])],
    }));
    if (recorded !== undefined) output.note(recorded);
    output.print(agreementLine(output, verification, file));
    const done = { ...report, dryRun: false, transactions, verification: verificationJson(verification), otherWrites };
    if (otherWrites > 0n && flags.othersWrite !== true) throw othersWrote(flags.stage, otherWrites, done);
    output.json(done);
  } finally {
    await journal?.close();
  }
}

function othersWrote(stage: Stage, otherWrites: bigint, report: object): RefusedReport {
  const calls = count(otherWrites, "call");
  const text = `others wrote to stage ${stage} during this push: ${calls}; it held the file when it was verified, and they may write again`;
  return new RefusedReport(text, { code: "OTHERS_WROTE", report });
}
