import type { Command } from "commander";
import {
  checkFirstBatch,
  checkPlan,
  planPush,
  VipError,
  type ContractIdentity,
  type PushPlan,
  type ScoreContract,
  type Stage,
} from "@vipscore/core";
import { InputError, quoteText } from "@vipscore/core/errors";
import { count, formatTokens, group } from "@vipscore/core/values";
import type { VipStage } from "@vipscore/l1";
import type { Context } from "../context.ts";
import { connect } from "../contract/connect.ts";
import { hasJournal, openJournal } from "../contract/journal.ts";
import { openManifest, readTable, tableJson, tableName, type TableFlags } from "../contract/readTable.ts";
import { sendPlan, sentText } from "../contract/sendPlan.ts";
import { checkStageOnL1, l1StageJson } from "../l1/openL1.ts";
import {
  manifestOption,
  stageOption,
  withConnectionOptions,
  withL1Options,
  withSignerOptions,
  withTableOptions,
} from "../options.ts";
import { planJson, planText } from "../output/plan.ts";
import { RefusedReport } from "../output/reportError.ts";
import { agreementLine, verificationJson } from "../output/verification.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";

interface PushFlags extends ConnectionFlags, TableFlags {
  readonly stage: Stage;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly packed?: boolean;
  readonly othersWrite?: boolean;
  readonly maxFee?: string;
  readonly journal?: string;
  readonly manifest?: string;
}

export function addPush(command: Command, context: Context): void {
  withL1Options(withSignerOptions(withConnectionOptions(withTableOptions(command))))
    .argument("<file>")
    .addOption(stageOption())
    .option("--dry-run", "print the plan; send nothing")
    .option("--prune", "set accounts missing from the file to 0")
    .option("--packed", "use the cheaper entry point: one event per batch instead of one per score")
    .option("--others-write", "succeed although others write to the stage too; their next write may change it again")
    .option("--max-fee <amount>", "pause before the fees are more than this in all (default: 3 times the plan's price)")
    .option("--journal <file>", "file that records each transaction before it is sent")
    .addOption(manifestOption("checks that they are the same, and records the contract and transactions"))
    .addHelpText(
      "after",
      `
Sends only what differs from the chain, so you can run it again at any time, also after a crash.
As <file>, - reads standard input.

Examples:
  $ vipscore push scores.csv --stage 12 --dry-run
  $ vipscore push scores.csv --stage 12
  $ vipscore push points.json --stage 12 --scale 2 --prune
  $ psql --csv -c "select address, score from points" | vipscore push - --stage 12`,
    )
    .action((path: string, flags: PushFlags) => pushFile(context, path, flags));
}

async function pushFile(context: Context, path: string, flags: PushFlags): Promise<void> {
  const { io, output } = context;
  context.unsent(true);
  const { stage, dryRun: isDryRun = false, prune = false, packed = false } = flags;
  const file = tableName(path);
  const manifest = await openManifest(context, flags.manifest, stage, { willRecord: true });
  const settings = await readSettings(context, flags);
  const table = await readTable(context, settings.vm, path, flags);
  manifest?.requireTable(table, file);
  const contract = await connect(context, settings, flags, isDryRun ? "optional" : "required");
  manifest?.requireContract(contract.identity);
  const l1 = await checkStageOnL1(context, settings, contract, stage);
  // A dry run creates no file, but its plan must include what an earlier push of the signer left pending.
  const isKnown = contract.signer !== undefined && hasJournal(context, contract, stage, flags.journal);
  const wantsJournal = !isDryRun || isKnown;
  const journal = wantsJournal ? await openJournal(context, contract, stage, flags.journal) : undefined;
  // What an earlier push left pending may be sent again.
  const hasOpen = journal !== undefined && journal.unsettled.length > 0;
  if (hasOpen) context.unsent(false);
  const writtenBefore = journal?.written.length ?? 0;
  try {
    output.showTransient("reading the chain …");
    const planned = await planPush(contract, stage, table, {
      prune,
      packed,
      compareEntryPoints: isDryRun,
      resend: !isDryRun,
      signal: io.signal,
      ...(journal === undefined ? {} : { journal }),
    });
    if (hasOpen) output.note(`of these, ${group(journal.written.length - writtenBefore)} wrote their rows`);
    const plan = flags.maxFee === undefined ? planned : { ...planned, maxFee: parseMaxFee(flags.maxFee, planned) };
    output.print(planText(plan, file, { identity: contract.identity, l1, columns: output.columns }));
    const report = pushJson(file, contract.identity, plan, l1);
    if (isDryRun || journal === undefined) {
      const planOnly = { ...report, dryRun: true, transactions: [], verification: null };
      const tried = await tryPlan(contract, plan, planOnly, io.signal);
      const ending = typeof tried === "number" ? dryRunEnding(plan, file, tried) : "A push would be refused:";
      output.print(`\nNothing was sent. ${ending}`);
      if (typeof tried !== "number") throw tried;
      output.json({ ...planOnly, rowsTried: tried });
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
    // Elsewhere each batch has its own line.
    if (output.isTerminal && transactions.length > 0)
      output.print(`sent      ${sentText(transactions)}${await paidText(contract, plan)}`);
    const done = { ...report, dryRun: false, transactions, verification: verificationJson(verification), otherWrites };
    if (otherWrites > 0n && flags.othersWrite !== true) {
      const calls = count(otherWrites, "call");
      const text = `others wrote to stage ${stage} during this push: ${calls}; it held the file when it was verified, and they may write again`;
      throw new RefusedReport(text, { code: "OTHERS_WROTE", report: done });
    }
    output.json(done);
  } finally {
    await journal?.close();
  }
}

/** Says what the signer paid, by its balance: receipts are not read where the stage shows the rows. */
async function paidText(contract: ScoreContract, { fees }: PushPlan): Promise<string> {
  const after = fees && (await contract.getFees().catch(() => undefined));
  if (fees === undefined || after === undefined || after.balance >= fees.balance) return "";
  return `; the balance fell by ${formatTokens(fees.balance - after.balance, fees.token, "up")}`;
}

/** Returns an amount of the fee token in its smallest unit. */
function parseMaxFee(text: string, { quote }: PushPlan): bigint {
  const { symbol, decimals } = quote.token;
  const [whole = "", fraction = ""] = text.split(".");
  if (/^\d{1,60}(\.\d+)?$/.test(text) && fraction.length <= decimals)
    return BigInt(whole + fraction.padEnd(decimals, "0"));
  throw new InputError(`--max-fee ${quoteText(text)} is not an amount of ${symbol} with at most ${decimals} decimals`);
}

/** Returns the number of rows that the contract accepts in a simulation, or the error of a push that would not send the plan. */
async function tryPlan(
  contract: ScoreContract,
  plan: PushPlan,
  report: object,
  signal: AbortSignal,
): Promise<RefusedReport | number> {
  try {
    checkPlan(plan);
    return await checkFirstBatch(contract, plan, { signal });
  } catch (error) {
    if (!VipError.isVipError(error)) throw error;
    const { shortMessage, code, advice } = error;
    return new RefusedReport(shortMessage, { code, report, metaMessages: advice, cause: error });
  }
}

function dryRunEnding({ rows }: PushPlan, file: string, tried: number): string {
  if (rows.length === 0) return `Nothing to do: the chain already holds ${file}.`;
  const part = `\nThe contract accepts the first ${group(tried)} of ${count(rows.length, "row")}; the others were not tried.`;
  return `Run without --dry-run to apply.${tried > 0 && tried < rows.length ? part : ""}`;
}

/** Returns the report for `--json`, without what was sent. */
function pushJson(file: string, contract: ContractIdentity, plan: PushPlan, l1: VipStage | undefined) {
  const { table, stage } = plan;
  return {
    command: "push",
    stage,
    contract,
    file: tableJson(file, table),
    plan: planJson(plan),
    l1: l1StageJson(l1),
  };
}
