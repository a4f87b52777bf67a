import { resolve } from "node:path";
import type { Command } from "commander";
import {
  InputError,
  readStage,
  requireSameStage,
  VipError,
  writeNewFile,
  type Account,
  type ScoreContract,
  type Stage,
  type StageState,
} from "@vipscore/core";
import { nodeFileName } from "@vipscore/core/nodeFile";
import { count, group } from "@vipscore/core/values";
import { claimTarget, compareSnapshot, comparisonText, requireMatch } from "@vipscore/l1";
import { formatProofs, type Snapshot, type SnapshotLeaf, type SnapshotRow } from "@vipscore/snapshot";
import type { Context } from "../context.ts";
import { connect, connectSecond } from "../contract/connect.ts";
import { openManifest, warnOfRounding } from "../contract/readTable.ts";
import { comparisonJson, findL1, snapshotOf } from "../l1/openL1.ts";
import {
  bridgeIdOption,
  manifestOption,
  parseAccountArgument,
  rollupRestUrlOption,
  stageOption,
  withConnectionOptions,
  withL1Options,
  withSecondEndpoint,
} from "../options.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";

export function addSnapshot(command: Command, context: Context): void {
  withSecondEndpoint(withL1Options(withConnectionOptions(command)))
    .addOption(stageOption())
    .addOption(bridgeIdOption())
    .addOption(rollupRestUrlOption())
    .option("--out <file>", "write the proofs to a new JSON file")
    .option("--proof <address...>", "accounts to prove (default: all that have a score)")
    .addOption(manifestOption("checks that the stage holds them, and records the root and the bridge ID"))
    .addHelpText("after", "\nExample:\n  $ vipscore snapshot --stage 12 --out proofs12.json")
    .action((flags: SnapshotFlags) => takeSnapshot(context, flags));
}

interface SnapshotFlags extends ConnectionFlags {
  readonly stage: Stage;
  readonly bridgeId?: bigint;
  readonly out?: string;
  readonly proof?: readonly string[];
  readonly manifest?: string;
}

async function takeSnapshot(context: Context, flags: SnapshotFlags): Promise<void> {
  const { io, output } = context;
  const { stage, out } = flags;
  const manifest = await openManifest(context, flags.manifest, stage, { willRecord: true });
  const settings = await readSettings(context, flags);
  const accounts = flags.proof?.map((address) => parseAccountArgument(address, settings.vm));
  const contract = await connect(context, settings, flags, "none");
  manifest?.requireContract(contract.identity);
  const isLocal = settings.l1?.restUrl.source === nodeFileName;
  const found = await findL1(context, settings, contract, flags).catch((error: unknown) => {
    // Practice begins before a registration.
    const isPractice = isLocal && flags.bridgeId !== undefined && VipError.isVipError(error);
    if (!isPractice || error.code !== "BRIDGE_NOT_REGISTERED") throw error;
    output.warn(`not compared with L1: ${error.shortMessage}`);
    return undefined;
  });
  const { bridgeId } = found?.bridge ?? flags;
  if (bridgeId === undefined) {
    throw new InputError("the rollup's bridge ID is not known", {
      code: "CONFIG_INVALID",
      metaMessages: ["Set --l1-rest-url or L1_REST_URL to look it up on L1, or name it with --bridge-id."],
    });
  }
  output.showTransient("reading the chain …");
  const state = await readStage(contract, stage, { signal: io.signal });
  manifest?.requireScores(state.scores);
  const second = await connectSecond(context, settings, contract);
  if (second !== undefined) await requireSameState(second, state, io.signal);
  const snapshot = snapshotOf(state, stage, bridgeId);
  const { root, total, size } = snapshot;
  warnOfRounding(output, snapshot);
  if (!state.info.isFinalized)
    output.warn(`stage ${stage} is not finalized: its scores, and so its root, can still change`);
  const proved = accounts && leavesOf(snapshot, accounts, out);
  const l1 = found && (await compareSnapshot(found, snapshot));
  const target = found && claimTarget(found, stage);
  if (out !== undefined) {
    await writeNewFile(resolve(io.cwd, out), out, formatProofs(snapshot, proved ?? snapshot, target));
  }
  const isOnStdout = out === undefined && proved !== undefined && !output.isJson;
  if (isOnStdout) for await (const piece of formatProofs(snapshot, proved, target)) output.raw(piece);
  const lines = [
    `stage ${stage}  ${state.info.isFinalized ? "finalized" : "open"}, total ${group(total)}, ${count(size, "account")} with a score   (bridge ${bridgeId}, height ${group(state.height)})`,
    `root     ${root ?? "none, because no account has a score"}`,
    ...(l1 === undefined ? [] : [`L1       ${comparisonText(l1, snapshot)}`]),
    ...(out === undefined ? [] : [`proofs   ${out}`]),
  ].join("\n");
  if (isOnStdout) output.note(lines);
  else output.print(lines);
  const recorded = await manifest?.record(contract.identity, () => ({ snapshot: { bridgeId, root: root ?? null } }));
  if (recorded !== undefined) output.note(recorded);
  if (l1 !== undefined) requireMatch(l1, snapshot);
  output.json({
    command: "snapshot",
    stage,
    contract: contract.identity,
    height: state.height,
    isFinalized: state.info.isFinalized,
    bridgeId,
    root,
    total,
    accounts: size,
    l1: comparisonJson(l1),
    comparedWithSecond: second !== undefined,
    file: out,
    ...(out === undefined && proved !== undefined
      ? { leaves: proved.map(({ account, score, proof }) => ({ address: account, score, proof })) }
      : {}),
  });
}

function requireSameState(second: ScoreContract, state: StageState, signal: AbortSignal): Promise<void> {
  const { height, info, scores } = state;
  const shown = { ...info, total: { contract: info.total }, height, accounts: scores.size, revision: info.revision };
  return requireSameStage(second, shown, scores.toTable(), { signal });
}

/**
 * Returns what proves the accounts' scores: the leaf of each; all leaves without their proofs if one of the accounts has no score, which
 * only the scores of all others show.
 */
function leavesOf(
  snapshot: Snapshot,
  accounts: readonly Account[],
  out: string | undefined,
): readonly (SnapshotRow & Partial<SnapshotLeaf>)[] {
  const leaves = accounts.map((account) => snapshot.leafOf(account));
  const missing = accounts.find((_, index) => leaves[index] === undefined);
  if (missing === undefined) return leaves.filter((leaf) => leaf !== undefined);
  if (out !== undefined) return Array.from(snapshot, ({ account, score }) => ({ account, score }));
  throw new InputError(
    `${missing} has no score in stage ${snapshot.stage}, which only the scores of all accounts prove`,
    {
      metaMessages: ["Write them to a file with --out."],
    },
  );
}
