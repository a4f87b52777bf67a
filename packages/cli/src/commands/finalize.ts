import { Option, type Command } from "commander";
import {
  finalizeStage,
  prepareFinalize,
  readStageTable,
  VipError,
  type FinalizeOptions,
  type FinalizeResult,
  type ScoreContract,
  type ScoreTable,
  type Stage,
  type StageTable,
  type Verification,
} from "@vipscore/core";
import { checkNewest } from "@vipscore/core/engine";
import { InputError } from "@vipscore/core/errors";
import { group } from "@vipscore/core/values";
import { checkStageToFinalize, type VipStage } from "@vipscore/l1";
import type { Context } from "../context.ts";
import { connect, connectSecond } from "../contract/connect.ts";
import { openJournal } from "../contract/journal.ts";
import { openManifest, readTable, tableJson, tableName, type TableFlags } from "../contract/readTable.ts";
import { writeUnsigned } from "../contract/sendCall.ts";
import { ask, canAsk } from "../io.ts";
import { findL1Stage, l1StageJson } from "../l1/openL1.ts";
import {
  manifestOption,
  stageOption,
  withConnectionOptions,
  withL1Options,
  withSecondEndpoint,
  withTableOptions,
  withUnsignedOptions,
} from "../options.ts";
import { stageLine } from "../output/plan.ts";
import { RefusedReport } from "../output/reportError.ts";
import { formatTable } from "../output/table.ts";
import { verificationJson } from "../output/verification.ts";
import { readSettings, type ConnectionFlags, type Settings } from "../settings/readSettings.ts";

interface FinalizeFlags extends ConnectionFlags, TableFlags {
  readonly stage: Stage;
  readonly file?: string;
  /** Without a file. Default: shows the digest and finalizes nothing. */
  readonly expectDigest?: string;
  readonly yes?: boolean;
  readonly early?: boolean;
  readonly journal?: string;
  readonly manifest?: string;
}

export function addFinalize(command: Command, context: Context): void {
  withSecondEndpoint(withL1Options(withUnsignedOptions(withConnectionOptions(withTableOptions(command)))))
    .addOption(stageOption())
    .option("--file <file>", "the scores that the stage must hold")
    .addOption(
      new Option("--expect-digest <sha256>", "without --file: digest of the scores that the stage must hold")
        .argParser(parseDigest)
        .conflicts("file"),
    )
    .option("--early", "finalize even though the stage is still active on L1; the rest of it can then never be scored")
    .option("--yes", "do not ask for confirmation; required without a terminal")
    .option("--journal <file>", "file that records each transaction before it is sent")
    .addOption(manifestOption("checks that they are the same, and records the transaction"))
    .addHelpText("after", "\nExample:\n  $ vipscore finalize --stage 12 --file scores.csv")
    .action((flags: FinalizeFlags) => finalizeFile(context, flags));
}

/** The value is not repeated, because it may be a key in the wrong place. */
function parseDigest(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InputError("--expect-digest is not a sha256 of 64 hex digits, as vipscore export prints it");
}

async function finalizeFile(context: Context, flags: FinalizeFlags): Promise<void> {
  const { io, output } = context;
  const prepared = await prepare(context, flags);
  const { unended } = prepared;
  // What may be cut off has the digest of what was pushed, so only a person can see that it is not whole.
  const needsNoAnswer = flags.unsigned !== undefined || (flags.yes === true && unended === undefined);
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
      if (unended !== undefined) output.warn(unended);
      output.print(summaryText(prepared, verification));
      return needsNoAnswer || (await isConfirmed(context, prepared));
    },
  };
  if (flags.unsigned === undefined) await send(context, prepared, options, flags.journal);
  else await write(context, prepared, options, flags.unsigned);
}

type PreparedFinalize = Awaited<ReturnType<typeof prepare>>;

async function prepare(context: Context, flags: FinalizeFlags) {
  const { stage } = flags;
  const file = flags.file === undefined ? undefined : tableName(flags.file);
  const manifest = await openManifest(context, flags.manifest, stage, { willRecord: true });
  const settings = await readSettings(context, flags);
  let unended: string | undefined;
  const listed =
    flags.file === undefined
      ? undefined
      : await readTable(context, settings.vm, flags.file, flags, (warning) => (unended = warning));
  const contract = await connect(context, settings, flags, "required");
  const table = listed ?? (await readExpected(context, contract, flags));
  manifest?.requireTable(table, file ?? `stage ${stage}`);
  manifest?.requireContract(contract.identity);
  const l1 = await checkL1(context, settings, flags);
  const second = await connectSecond(context, settings, contract);
  return { contract, second, stage, file, table, unended, manifest, l1 };
}

async function checkL1(
  context: Context,
  settings: Settings,
  { stage, early = false }: FinalizeFlags,
): Promise<VipStage | undefined> {
  const { output } = context;
  const l1 = await findL1Stage(context, settings);
  if (l1 !== undefined) {
    output.warnAll(checkStageToFinalize(l1, stage, { early }));
  } else if (settings.localNode === undefined) {
    output.warn(`not checked whether L1 has moved past stage ${stage}: set --l1-rest-url or L1_REST_URL`);
  }
  return l1;
}

/** Returns the scores that have the expected digest. Without one, shows what the stage holds, to be compared elsewhere first. */
async function readExpected(
  { output, signal, scrubber }: Context,
  contract: ScoreContract,
  { stage, expectDigest }: FinalizeFlags,
): Promise<ScoreTable> {
  output.showTransient("reading the chain …");
  const found = await checkNewest(
    contract,
    async (height) => {
      const read = await readStageTable(contract, stage, { height, signal });
      const digest = read.table.digest();
      if (expectDigest === undefined || digest === expectDigest) return read;
      // One that begins as the chain's is no key in the wrong place, so both can be shown whole.
      const isWhole = digest.slice(0, 16) === expectDigest.slice(0, 16);
      if (isWhole) scrubber.release(expectDigest);
      throw otherScores(read, isWhole ? expectDigest : `${expectDigest.slice(0, 8)}…${expectDigest.slice(-4)}`);
    },
    { signal },
  );
  if (expectDigest !== undefined) return found.table;
  const { identity } = contract;
  const { info, height } = found;
  const { isFinalized, total, revision } = info;
  const accounts = found.table.size;
  const sha256 = found.table.digest();
  const rows = [
    [`stage ${stage}`, stageLine(identity, { isFinalized, total, accounts, height }, undefined)],
    ["revision", revision === undefined ? "none: a reference contract" : group(revision)],
    ["sha256", sha256],
  ];
  output.print(formatTable(rows, { widths: [11] }).join("\n"));
  throw new RefusedReport(
    `nothing was finalized: compare the sha256 with another endpoint's, then run again with --expect-digest <sha256>`,
    {
      code: "CONFIRMATION_MISSING",
      report: {
        command: "finalize",
        stage,
        contract: identity,
        found: { isFinalized, height, accounts, revision, total, sha256 },
      },
    },
  );
}

function otherScores({ info, height, table }: StageTable, expected: string): VipError {
  const { stage, isFinalized } = info;
  return new VipError(`stage ${stage} does not hold the scores of --expect-digest at height ${group(height)}`, {
    code: isFinalized ? "STAGE_FINALIZED" : "VERIFY_MISMATCH",
    metaMessages: [
      `expected sha256 ${expected}`,
      `sha256 of the chain ${table.digest()}`,
      isFinalized
        ? "The stage is finalized: no call can change its scores."
        : "Scores were written since, or the expected digest is for other scores. Compare again what the stage holds.",
    ],
  });
}

function summaryText({ contract, file = "expected", l1 }: PreparedFinalize, verification: Verification): string {
  const { stage, total, accounts, digest, height, isFinalized } = verification;
  const state = { isFinalized, total: total.contract, accounts, height };
  return formatTable([
    [`stage ${stage}`, stageLine(contract.identity, state, l1)],
    [file, `sha256 ${digest.expected}`],
    ["chain", `sha256 ${digest.actual}`],
  ]).join("\n");
}

/** Asks for the stage number: a word typed out of habit must not close a stage. */
async function isConfirmed({ io, output }: Context, { contract, stage, unended }: PreparedFinalize): Promise<boolean> {
  if (!canAsk(io)) {
    const next =
      unended === undefined
        ? "Run with --yes to finalize."
        : "If the file is whole, end its last line and run again: --yes does not answer for a file that may be cut off.";
    throw new VipError(`finalizing stage ${stage} cannot be undone, and there is no terminal to ask for confirmation`, {
      code: "CONFIRMATION_MISSING",
      metaMessages: [`Everything was checked and nothing was sent. ${next}`],
    });
  }
  const { codeAdmin } = (await contract.getControl({ signal: io.signal })) ?? {};
  const unless =
    codeAdmin === undefined ? "" : ` unless the contract's code is replaced (vipscore status shows who can)`;
  output.note(`\nAfter this, no call can change scores of stage ${stage}${unless}.`);
  return (await ask(io, `Type the stage number to finalize it: `))?.trim() === stage.toString();
}

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
    if (transaction === undefined) output.print(alreadyText(prepared, verification));
    else {
      const { height, hash } = transaction;
      const done = output.paint("green", "finalized");
      output.print(`${done} stage ${stage} in block ${group(height)}   (transaction ${hash})`);
    }
    const recorded = await manifest?.record(contract.identity, ({ finalization }) => ({
      finalization: transaction?.hash ?? finalization ?? null,
    }));
    if (recorded !== undefined) output.note(recorded);
    output.json(finalizeJson(prepared, transaction, verification));
  } finally {
    await journal.close();
  }
}

function alreadyText({ stage, file }: PreparedFinalize, { height }: Verification): string {
  return `stage ${stage} is already finalized and holds exactly ${file ?? "the expected scores"}, read at height ${group(height)}`;
}

function finalizeJson(
  { contract, second, stage, file, table, l1 }: PreparedFinalize,
  transaction: FinalizeResult["transaction"],
  verification: Verification,
) {
  return {
    command: "finalize",
    stage,
    contract: contract.identity,
    file: file === undefined ? null : tableJson(file, table),
    l1: l1StageJson(l1),
    transaction: transaction && { ...transaction, gasUsed: transaction.gasUsed ?? null },
    verification: verificationJson(verification),
    comparedWithSecond: second !== undefined,
  };
}
