import { basename, resolve } from "node:path";
import { InputError, readStage, refuseExisting, writeNewFile, type Stage, type StageInfo } from "@vipscore/core";
import { digestScores } from "@vipscore/core/engine";
import type { ScoresManifest } from "@vipscore/core/manifest";
import { count, group } from "@vipscore/core/values";
import { openRest } from "@vipscore/core/wire";
import { feeOf, readRestGasPrice } from "@vipscore/cosmos";
import { renderReport, type ReportEvidence, type ReportL1, type ReportSnapshot } from "@vipscore/report";
import type { Snapshot } from "@vipscore/snapshot";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import { openManifest } from "../../contract/readTable.ts";
import { claimGas } from "../../l1/claimGas.ts";
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
  const manifest = await openManifest(context, flags.manifest, stage, { willRecord: false });
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
        : { ...snapshotSection(snapshot, l1), ...(await claimSection(l1, state.info, io.signal)) },
    previous,
    push: read?.push,
    evidence: manifest && evidenceOf(manifest.manifest, flags.manifest ?? ""),
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

/** The part of a manifest that a report shows. */
function evidenceOf(manifest: ScoresManifest, file: string): ReportEvidence {
  const { policy, window, sources, versions, scores, excluded } = manifest;
  return {
    recompute: `vipscore audit ${basename(file)} --policy <folder> --endpoint <url>`,
    policy,
    window,
    sources,
    versions,
    sha256: scores.sha256,
    excluded,
  };
}

function snapshotSection(snapshot: Snapshot, l1: SnapshotComparison | undefined): ReportSnapshot {
  const { bridgeId, root } = snapshot;
  const compared: ReportL1 =
    l1 === undefined
      ? { status: "notCompared", text: "not compared" }
      : { status: l1.status, text: comparisonText(l1, snapshot) };
  return { bridgeId, root, l1: compared };
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
  if (l1 === undefined || target === undefined || !isFinalized || l1.status === "differs") return { target };
  const gas = claimGas(1);
  const price = await readRestGasPrice(openRest(l1.options.l1RestUrl), signal);
  const fee = price === undefined ? undefined : { denom: price.denom, amount: feeOf(price, gas) };
  return { target, claim: { gas, fee } };
}
