import { basename, resolve } from "node:path";
import type { Command } from "commander";
import {
  InputError,
  readJsonFile,
  readStage,
  refuseExisting,
  writeNewFile,
  type Stage,
  type StageInfo,
} from "@vipscore/core";
import { digestScores } from "@vipscore/core/engine";
import type { StageManifest } from "@vipscore/core/manifest";
import { count, group } from "@vipscore/core/values";
import { openRest } from "@vipscore/core/wire";
import { feeOf, readL1GasPrice } from "@vipscore/cosmos";
import {
  claimGas,
  claimTarget,
  compareSnapshot,
  comparisonText,
  requireMatch,
  type SnapshotComparison,
} from "@vipscore/l1";
import {
  readPush,
  renderReport,
  requireOwnPush,
  type ReadPush,
  type ReportEvidence,
  type ReportInput,
  type ReportSnapshot,
} from "@vipscore/report";
import type { Context } from "../context.ts";
import { connect } from "../contract/connect.ts";
import { openManifest, pathOf } from "../contract/readTable.ts";
import { comparisonJson, findL1IfRegistered, requireSum, rowsOf, snapshotOf } from "../l1/openL1.ts";
import {
  bridgeIdOption,
  manifestOption,
  namedConfigHelp,
  namedConfigOnly,
  parseStage,
  rollupRestUrlOption,
  stageOption,
  withConnectionOptions,
  withL1Options,
} from "../options.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";

export function addReport(command: Command, context: Context): void {
  withL1Options(withConnectionOptions(command))
    .addOption(stageOption())
    .option("--previous <n>", "an earlier stage to compare with", parseStage)
    .option("--plan <file>", "what push --json printed, to list its transactions")
    .addOption(manifestOption("shows policy, sources and digests, if the stage holds them"))
    .addOption(bridgeIdOption())
    .addOption(rollupRestUrlOption())
    .option("--out <file>", "the new file (default: report-<stage>.html)")
    .addHelpText(
      "after",
      `${namedConfigHelp}\nExample:\n  $ vipscore report --stage 12 --previous 11 --out report.html`,
    )
    .action((flags: ReportFlags) => writeReport(context, namedConfigOnly(flags)));
}

interface ReportFlags extends ConnectionFlags {
  readonly stage: Stage;
  readonly previous?: Stage;
  readonly bridgeId?: bigint;
  readonly plan?: string;
  readonly manifest?: string;
  readonly out?: string;
}

async function writeReport(context: Context, flags: ReportFlags): Promise<void> {
  const { io, output } = context;
  const { stage } = flags;
  if (flags.previous !== undefined && flags.previous >= stage)
    throw new InputError(`--previous ${flags.previous} is not earlier than stage ${stage}`);
  const out = flags.out ?? `report-${stage}.html`;
  const path = resolve(io.cwd, out);
  await refuseExisting(path, out);
  const read = flags.plan === undefined ? undefined : await readPushFile(context, flags.plan, stage);
  const manifest = await openManifest(context, flags.manifest, stage, { willRecord: false });
  const settings = await readSettings(context, flags);
  const contract = await connect(context, settings, flags, "none");
  manifest?.requireContract(contract.identity);
  const without = "no proofs, and not compared with L1";
  const found = await findL1IfRegistered(context, settings, contract, flags, without);
  const bridgeId = found?.bridge.bridgeId ?? flags.bridgeId;
  output.showTransient("reading the chain …");
  const state = await readStage(contract, stage, { signal: io.signal });
  const { height, info, scores } = state;
  requireSum(state, stage);
  manifest?.requireScores(scores);
  if (read !== undefined) requireOwnPush(flags.plan ?? "", read, contract.identity, digestScores(scores));
  const previous =
    flags.previous === undefined ? undefined : await readStage(contract, flags.previous, { height, signal: io.signal });
  if (!info.isFinalized) output.warn(`stage ${stage} is not finalized: its scores can still change`);
  if (bridgeId === undefined && settings.l1 === undefined)
    output.warn("no proofs: the rollup's bridge ID is not known; name it with --bridge-id");
  const snapshot = bridgeId === undefined ? undefined : snapshotOf(state, stage, bridgeId);
  const l1 = found && snapshot && (await compareSnapshot(found, snapshot));
  const page = renderReport({
    ...settings.about,
    stage,
    period: periodOf(manifest, stage, l1),
    contract: contract.identity,
    height,
    isFinalized: info.isFinalized,
    total: info.total,
    rows: rowsOf(state),
    snapshot: snapshot && {
      bridgeId: snapshot.bridgeId,
      root: snapshot.root,
      l1:
        l1 === undefined
          ? { status: "notCompared", text: "not compared" }
          : { status: l1.status, text: comparisonText(l1, snapshot) },
      ...(await claimSection(l1, info, io.signal)),
    },
    previous: previous && { stage: previous.info.stage, rows: rowsOf(previous) },
    push: read?.push,
    evidence: manifest && evidenceOf(manifest, flags.manifest ?? ""),
  });
  await writeNewFile(path, out, [page]);
  const bytes = Buffer.byteLength(page);
  output.print(
    `report   ${out}, ${group(Math.ceil(bytes / 1000))} kB, ${count(scores.size, "account")}, total ${group(info.total)}   (height ${group(height)})`,
  );
  if (l1 !== undefined && snapshot !== undefined) requireMatch(l1, snapshot);
  output.json({
    command: "report",
    stage,
    contract: contract.identity,
    height,
    isFinalized: info.isFinalized,
    accounts: scores.size,
    total: info.total,
    root: snapshot?.root,
    l1: comparisonJson(l1),
    file: out,
    bytes,
  });
}

async function readPushFile({ io }: Context, file: string, stage: Stage): Promise<ReadPush> {
  const json = await readJsonFile(pathOf(io, file), { name: file, signal: io.signal });
  if (json.at("command").value !== "push") json.fail("is not what push --json printed");
  return readPush(json, stage);
}

/** The times of a stage: those of the scores' window, or of L1's active stage. */
function periodOf(
  manifest: StageManifest | undefined,
  stage: Stage,
  l1: SnapshotComparison | undefined,
): ReportInput["period"] {
  const window = manifest?.manifest.window;
  if (window !== undefined) return { from: window.first.time, to: window.last.time };
  if (l1?.current.stage !== stage) return undefined;
  const { startsAt, endsAt } = l1.current;
  return { from: startsAt.getTime() / 1000, to: endsAt.getTime() / 1000 };
}

function evidenceOf({ manifest }: StageManifest, file: string): ReportEvidence {
  const { policy, window, sources, versions, scores, excluded } = manifest;
  const recompute = `vipscore audit ${basename(file)} --policy <folder> --endpoint <url>`;
  return { policy, window, sources, versions, sha256: scores.sha256, excluded, recompute };
}

/**
 * Where and at which cost the page's accounts claim the stage. It offers no claim while scores can change, and none that L1
 * refuses.
 */
async function claimSection(
  l1: SnapshotComparison | undefined,
  { stage, isFinalized }: StageInfo,
  signal: AbortSignal,
): Promise<Pick<ReportSnapshot, "target" | "claim">> {
  const target = l1 && claimTarget(l1, stage);
  if (l1 === undefined || target === undefined || !isFinalized || ["differs", "removed"].includes(l1.status))
    return { target };
  const gas = claimGas(1);
  const price = (await readL1GasPrice(openRest(l1.options.l1RestUrl), signal))?.price;
  const fee = price === undefined ? undefined : { denom: price.denom, amount: feeOf(price, gas) };
  const { endStage } = l1.bridge;
  const isCut = endStage !== undefined && endStage < stage + l1.current.parameters.vestingPeriodStages;
  return { target, claim: { gas, fee, lastStage: isCut ? endStage : undefined } };
}
