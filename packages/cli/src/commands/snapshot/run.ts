import { resolve } from "node:path";
import {
  InputError,
  readStage,
  requireSameStage,
  writeNewFile,
  type ScoreContract,
  type Stage,
  type StageState,
} from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import type { Snapshot, SnapshotLeaf } from "@vipscore/snapshot";
import type { Context } from "../../context.ts";
import { connect, connectSecond } from "../../contract/connect.ts";
import { openManifest, warnOfRounding } from "../../contract/readTable.ts";
import { claimTarget } from "../../l1/claimTarget.ts";
import {
  compareSnapshot,
  comparisonJson,
  comparisonText,
  findL1,
  requireSame,
  type SnapshotComparison,
} from "../../l1/compareSnapshot.ts";
import { snapshotOf } from "../../l1/snapshotOf.ts";
import { parseAccountArgument } from "../../options/commandOptions.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";
import { formatSnapshot, leafJson } from "./formatSnapshot.ts";

/** The flags of `snapshot`. */
export interface SnapshotFlags extends ConnectionFlags {
  readonly stage: Stage;
  readonly bridgeId?: bigint;
  readonly out?: string;
  readonly proof?: readonly string[];
  readonly manifest?: string;
}

/** Computes a stage's Merkle root, and writes proofs: `snapshot`. */
export async function takeSnapshot(context: Context, flags: SnapshotFlags): Promise<void> {
  const { io, output } = context;
  const { stage, out } = flags;
  const manifest = await openManifest(context, flags.manifest, stage, { willRecord: true });
  const settings = await readSettings(context, flags);
  const accounts = flags.proof?.map((address) => parseAccountArgument(address, settings.vm));
  const contract = await connect(context, settings, flags, "none");
  manifest?.requireContract(contract.identity);
  const found = await findL1(context, settings, contract, flags);
  const { bridgeId } = found?.bridge ?? flags;
  if (bridgeId === undefined) throw noBridge();
  output.showTransient("reading the chain …");
  const state = await readStage(contract, stage, { signal: io.signal });
  manifest?.requireScores(state.scores);
  const second = await connectSecond(context, settings, contract);
  if (second !== undefined) await requireSameState(second, state, io.signal);
  const snapshot = snapshotOf(state, stage, bridgeId);
  warnOfRounding(output, snapshot);
  if (!state.info.isFinalized)
    output.warn(`stage ${stage} is not finalized: its scores, and so its root, can still change`);
  const proved = accounts === undefined ? undefined : accounts.map((account) => leafOf(snapshot, account));
  const l1 = found && (await compareSnapshot(found, snapshot));
  const target = found && claimTarget(found, stage);
  if (out !== undefined) {
    await writeNewFile(resolve(io.cwd, out), out, formatSnapshot(snapshot, proved ?? snapshot, target));
  }
  const isOnStdout = out === undefined && proved !== undefined && !output.isJson;
  if (isOnStdout) for await (const piece of formatSnapshot(snapshot, proved, target)) output.raw(piece);
  const lines = linesOf(snapshot, state, l1, out);
  if (isOnStdout) output.note(lines);
  else output.print(lines);
  const recorded = await manifest?.record(contract.identity, () => ({
    snapshot: { bridgeId, root: snapshot.root ?? null },
  }));
  if (recorded !== undefined) output.note(recorded);
  if (l1 !== undefined) requireSame(l1, snapshot);
  output.json({
    command: "snapshot",
    stage,
    contract: contract.identity,
    height: state.height,
    isFinalized: state.info.isFinalized,
    bridgeId,
    root: snapshot.root ?? null,
    total: snapshot.total,
    accounts: snapshot.size,
    l1: comparisonJson(l1),
    comparedWithSecond: second !== undefined,
    file: out ?? null,
    ...(out === undefined && proved !== undefined ? { leaves: proved.map(leafJson) } : {}),
  });
}

function requireSameState(second: ScoreContract, state: StageState, signal: AbortSignal): Promise<void> {
  const { height, info, scores } = state;
  const shown = { ...info, total: { contract: info.total }, height, accounts: scores.size, revision: info.revision };
  return requireSameStage(second, shown, scores.toTable(), { signal });
}

function noBridge(): InputError {
  return new InputError("the rollup's bridge ID is not known", {
    code: "CONFIG_INVALID",
    metaMessages: ["Set --l1-rest-url or L1_REST_URL to look it up on L1, or name it with --bridge-id."],
  });
}

function leafOf(snapshot: Snapshot, account: string): SnapshotLeaf {
  const leaf = snapshot.leafOf(account);
  if (leaf !== undefined) return leaf;
  throw new InputError(`${account} has no score in stage ${snapshot.stage}, so there is nothing to prove`);
}

function linesOf(
  snapshot: Snapshot,
  { height, info }: StageState,
  l1: SnapshotComparison | undefined,
  out: string | undefined,
): string {
  const { stage, bridgeId, root, total, size } = snapshot;
  const state = info.isFinalized ? "finalized" : "open";
  return [
    `stage ${stage}  ${state}, total ${group(total)}, ${count(size, "account")} with a score   (bridge ${bridgeId}, height ${group(height)})`,
    `root     ${root ?? "none, because no account has a score"}`,
    ...(l1 === undefined ? [] : [`L1       ${comparisonText(l1, snapshot)}`]),
    ...(out === undefined ? [] : [`proofs   ${out}`]),
  ].join("\n");
}
