import { resolve } from "node:path";
import { InputError, readStage, type Stage } from "@vipscore/core";
import { digestScores } from "@vipscore/core/engine";
import { renderReport, type ReportL1, type ReportSnapshot } from "@vipscore/report";
import type { Snapshot } from "@vipscore/snapshot";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import { StageManifest } from "../../evidence/stageManifest.ts";
import { refuseExisting, writeNewFile } from "../../files/writeNewFile.ts";
import { claimTarget } from "../../l1/claimTarget.ts";
import {
  compareSnapshot,
  comparisonJson,
  comparisonText,
  findL1,
  requireSame,
  type SnapshotComparison,
} from "../../l1/compareSnapshot.ts";
import { requireSum, rowsOf, snapshotOf } from "../../l1/snapshotOf.ts";
import { count, group } from "../../output/numbers.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";
import { readPush, requireOwnPush } from "./readPush.ts";

/** The flags of `report`. */
export interface ReportFlags extends ConnectionFlags {
  readonly stage: Stage;
  readonly previous?: Stage;
  readonly bridgeId?: bigint;
  readonly plan?: string;
  readonly manifest?: string;
  readonly out?: string;
}

/** Writes a stage's report: `report`. */
export async function writeReport(context: Context, flags: ReportFlags): Promise<void> {
  const { io, output } = context;
  const { stage } = flags;
  if (flags.previous !== undefined && flags.previous >= stage)
    throw new InputError(`--previous ${flags.previous} is not earlier than stage ${stage}`);
  const out = flags.out ?? `report-${stage}.html`;
  const path = resolve(io.cwd, out);
  await refuseExisting(path, out);
  const read = flags.plan === undefined ? undefined : await readPush(context, flags.plan, stage);
  const manifest = await StageManifest.read(context, flags.manifest, stage);
  const settings = await readSettings(context, flags);
  const contract = await connect(context, settings, flags, "none");
  manifest?.requireContract(contract.identity);
  const found = await findL1(context, settings, contract, flags);
  const bridgeId = found?.bridge.bridgeId ?? flags.bridgeId;
  output.showTransient("reading the chain …");
  const state = await readStage(contract, stage, { signal: io.signal });
  const { height, info } = state;
  requireSum(state, stage);
  manifest?.requireScores(state.scores);
  if (read !== undefined) requireOwnPush(flags.plan ?? "", read, contract.identity, digestScores(state.scores));
  const previous =
    flags.previous === undefined
      ? undefined
      : {
          stage: flags.previous,
          rows: rowsOf(await readStage(contract, flags.previous, { height, signal: io.signal })),
        };
  if (!info.isFinalized) output.warn(`stage ${stage} is not finalized: its scores can still change`);
  if (bridgeId === undefined) output.warn("no proofs: the rollup's bridge ID is not known; name it with --bridge-id");
  const snapshot = bridgeId === undefined ? undefined : snapshotOf(state, stage, bridgeId);
  const l1 = found && snapshot && (await compareSnapshot(found, snapshot));
  const page = renderReport({
    stage,
    contract: contract.identity,
    height,
    isFinalized: info.isFinalized,
    total: info.total,
    rows: rowsOf(state),
    snapshot:
      snapshot === undefined
        ? undefined
        : { ...snapshotSection(snapshot, l1), target: found && claimTarget(found, stage) },
    previous,
    push: read?.push,
    evidence: manifest?.evidence,
  });
  await writeNewFile(path, out, [page]);
  const bytes = Buffer.byteLength(page);
  output.print(
    `report   ${out}, ${group(Math.ceil(bytes / 1000))} kB, ${count(state.scores.size, "account")}, total ${group(info.total)}   (height ${group(height)})`,
  );
  if (l1 !== undefined && snapshot !== undefined) requireSame(l1, snapshot);
  output.json({
    command: "report",
    stage,
    contract: contract.identity,
    height,
    isFinalized: info.isFinalized,
    accounts: state.scores.size,
    total: info.total,
    root: snapshot?.root ?? null,
    l1: comparisonJson(l1),
    file: out,
    bytes,
  });
}

function snapshotSection(snapshot: Snapshot, l1: SnapshotComparison | undefined): ReportSnapshot {
  const { bridgeId, root } = snapshot;
  const compared: ReportL1 =
    l1 === undefined
      ? { status: "notCompared", text: "not compared" }
      : { status: l1.status, text: comparisonText(l1, snapshot) };
  return { bridgeId, root, l1: compared };
}
