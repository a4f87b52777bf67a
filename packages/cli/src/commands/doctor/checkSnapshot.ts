import { readStage, stage as toStage, type ScoreContract, type StageInfo } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import { bridgesOf, compareSnapshot, type ComputedSnapshot, type VipOptions, type VipStage } from "@vipscore/l1";
import { snapshotOf } from "../../l1/openL1.ts";
import { action, ok, skipped, warning, type Finding } from "./finding.ts";
import type { RegisteredVersion, Registration } from "./findRegistration.ts";

/** Accounts of which `doctor` computes the root; `snapshot` does for any number. */
const maxAccounts = 100_000n;

/** What the contract's stages are compared with. */
export interface SnapshotContext {
  readonly options: VipOptions;
  readonly current: VipStage;
  readonly registration: Registration;
  /** The contract's first stage. */
  readonly initStage: bigint;
}

type At = { readonly height: bigint; readonly signal: AbortSignal };

/** Compares L1's newest snapshot with the contract's scores, and reports finalized stages that have none. */
export async function checkSnapshot(
  contract: ScoreContract,
  stages: readonly StageInfo[],
  { options, current, registration, initStage }: SnapshotContext,
  at: At,
): Promise<readonly Finding[]> {
  const versions = registration.versions.filter((version) => bridgesOf([version], contract.identity).length > 0);
  if (versions.length === 0) return [skipped("snapshot", "L1 does not read this contract")];
  const newest = versions.findLast((version) => version.next > version.initStage);
  const compared = newest && (await compareNewest(contract, newest, { options, current }, at));
  const finalized = stages.findLast(({ isFinalized }) => isFinalized)?.stage ?? 0n;
  const served = versions.filter(({ next }) => next >= initStage);
  const found = [compared, ...served.map((version) => waitingFinding(version, finalized, current))];
  const findings = found.filter((finding) => finding !== undefined);
  return findings.length > 0 ? findings : [skipped("snapshot", "no stage that L1 expects is finalized yet")];
}

/** Compares a version's newest snapshot, by its root if the stage is not too large. */
async function compareNewest(
  contract: ScoreContract,
  bridge: RegisteredVersion,
  l1: Pick<SnapshotContext, "options" | "current">,
  at: At,
): Promise<Finding | undefined> {
  const stage = toStage(bridge.next - 1n);
  const info = await contract.getStage(stage, at);
  if (info === undefined) return skipped("snapshot", `L1 has stage ${stage}, which is before the contract's first one`);
  const isLarge = info.count !== undefined && info.count > maxAccounts;
  const own: ComputedSnapshot = isLarge
    ? { stage, root: undefined, total: info.total }
    : snapshotOf(await readStage(contract, stage, { ...at, info }), stage, bridge.bridgeId);
  const { status, onL1 } = await compareSnapshot({ ...l1, bridge }, own);
  if (onL1 === undefined) return undefined;
  const compare = `Compare the scores: vipscore snapshot --stage ${stage}`;
  if (status === "matches") {
    const total = `total ${group(info.total)}`;
    return isLarge
      ? ok(
          "snapshot",
          `L1 has stage ${stage} with the contract's ${total}; the root of ${count(info.count, "account")} was not computed: vipscore snapshot --stage ${stage}`,
        )
      : ok("snapshot", `L1 has stage ${stage} with the contract's root and ${total}`);
  }
  const totals = `L1's snapshot of stage ${stage} has the total ${group(onL1.total)}, the contract ${group(info.total)}`;
  // A contract that replaced another one has no scores of the stages that L1 read from the other.
  if (info.total === 0n)
    return warning("snapshot", `${totals}: it was read from an earlier contract, or it is wrong`, compare);
  const roots = onL1.total === info.total ? ", and another root" : "";
  return action("snapshot", `${totals}${roots}`, compare);
}

/** Reports stages that are finalized and have no snapshot. The agent needs a while for the newest one. */
function waitingFinding(
  { next, endStage }: RegisteredVersion,
  finalized: bigint,
  current: VipStage,
): Finding | undefined {
  const last = [current.stage - 1n, endStage ?? finalized].reduce(
    (one, other) => (other < one ? other : one),
    finalized,
  );
  if (last < next) return undefined;
  if (next === current.stage - 1n)
    return ok("snapshot", `stage ${next} is finalized; L1 does not have its snapshot yet`);
  const which = next === last ? `stage ${next} is` : `the stages ${next} to ${last} are`;
  return warning(
    "snapshot",
    `${which} finalized, and L1 has no snapshot of stage ${next}, though it is at stage ${current.stage}: users wait for VIP's agent`,
    "If it stays so, ask those who run the agent: L1's ModuleStore names its api_uri.",
  );
}
