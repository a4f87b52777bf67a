import { resolve } from "node:path";
import type { Command } from "commander";
import { CheckError, InputError, readStage, type ScoreContract, type Stage, type StageState } from "@vipscore/core";
import { buildSnapshot, type Snapshot, type SnapshotLeaf } from "@vipscore/snapshot";
import {
  parseAccountArgument,
  parseU64,
  stageOption,
  withConnectionOptions,
  withL1Options,
} from "../commandOptions.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { count, group } from "../output/numbers.ts";
import { warnOfRounding } from "../readTable.ts";
import { readSettings, type ConnectionFlags, type Settings } from "../settings/readSettings.ts";
import {
  compareSnapshot,
  comparisonJson,
  comparisonText,
  openL1,
  requireSame,
  type SnapshotComparison,
} from "../snapshot/compareSnapshot.ts";
import { formatSnapshot, leafJson } from "../snapshot/formatSnapshot.ts";
import { writeNewFile } from "../writeNewFile.ts";

interface SnapshotFlags extends ConnectionFlags {
  readonly stage: Stage;
  readonly bridgeId?: bigint;
  readonly out?: string;
  readonly proof?: readonly string[];
}

/** Adds `snapshot`. */
export function addSnapshot(program: Command, context: Context): void {
  withL1Options(withConnectionOptions(program.command("snapshot")))
    .description("compute the Merkle root of a stage's scores, compare it with L1's snapshot, write proofs")
    .addOption(stageOption())
    .option("--bridge-id <id>", "the rollup's bridge ID (default: asks L1 for the contract's)", (text) =>
      parseU64("--bridge-id", text),
    )
    .option("--out <file>", "write the proofs to a new JSON file")
    .option("--proof <address...>", "accounts to prove (default: all that have a score)")
    .addHelpText("after", "\nExample:\n  $ vipscore snapshot --stage 12 --out proofs12.json")
    .action((flags: SnapshotFlags) => takeSnapshot(context, flags));
}

async function takeSnapshot(context: Context, flags: SnapshotFlags): Promise<void> {
  const { io, output } = context;
  const { stage, out } = flags;
  const settings = await readSettings(context, flags);
  const accounts = flags.proof?.map((address) => parseAccountArgument(address, settings.vm));
  const contract = await connect(context, settings, flags, "none");
  const found = await findL1(context, settings, contract, flags);
  const { bridgeId } = found?.bridge ?? flags;
  if (bridgeId === undefined) throw noBridge();
  output.showTransient("reading the chain …");
  const state = await readStage(contract, stage, { signal: io.signal });
  const snapshot = snapshotOf(state, stage, bridgeId);
  warnOfRounding(output, snapshot);
  if (!state.info.isFinalized)
    output.warn(`stage ${stage} is not finalized: its scores, and so its root, can still change`);
  const proved = accounts === undefined ? undefined : accounts.map((account) => leafOf(snapshot, account));
  const l1 =
    settings.l1 === undefined || found === undefined
      ? undefined
      : await compareSnapshot(context, settings.l1, found, snapshot);
  if (out !== undefined) await writeNewFile(resolve(io.cwd, out), out, formatSnapshot(snapshot, proved ?? snapshot));
  const isOnStdout = out === undefined && proved !== undefined && !output.isJson;
  if (isOnStdout) for await (const piece of formatSnapshot(snapshot, proved)) output.raw(piece);
  const lines = linesOf(snapshot, state, l1, out);
  if (isOnStdout) output.note(lines);
  else output.print(lines);
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
    file: out ?? null,
    ...(out === undefined && proved !== undefined ? { leaves: proved.map(leafJson) } : {}),
  });
}

/** The rollup's bridge on L1; undefined without an L1 endpoint. */
async function findL1(
  context: Context,
  { l1 }: Settings,
  { identity }: ScoreContract,
  { bridgeId }: SnapshotFlags,
): Promise<Awaited<ReturnType<typeof openL1>> | undefined> {
  if (l1 !== undefined) return openL1(context, l1, { bridgeId, contract: identity });
  context.output.warn("not compared with L1: set --l1-rest-url or L1_REST_URL");
  return undefined;
}

function noBridge(): InputError {
  return new InputError("the rollup's bridge ID is not known", {
    code: "CONFIG_INVALID",
    metaMessages: ["Set --l1-rest-url or L1_REST_URL to look it up on L1, or name it with --bridge-id."],
  });
}

/** @throws CheckError `VERIFY_MISMATCH` if the contract's total is not the sum of its scores. */
function snapshotOf({ info, scores }: StageState, stage: Stage, bridgeId: bigint): Snapshot {
  const { total } = info;
  if (scores.total !== total) {
    throw new CheckError(`the scores of stage ${stage} add up to ${scores.total}, the contract's total is ${total}`, {
      code: "VERIFY_MISMATCH",
      metaMessages: ["Rewards are paid by score and total, so they would not add up. Check the contract."],
    });
  }
  const rows = (function* () {
    for (const [account, score] of scores) yield { account, score };
  })();
  return buildSnapshot({ bridgeId, stage, rows, total });
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
