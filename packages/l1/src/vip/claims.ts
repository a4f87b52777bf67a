import { CheckError, InputError, type Account } from "@vipscore/core";
import { formatTime } from "@vipscore/core/values";
import { readFundedRewards, readLastClaimedStage, registrationAt } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { claimTarget, requireTarget } from "../../l1/claimTarget.ts";
import { compareSnapshot, comparisonText, requireSame, type RollupOnL1 } from "../../l1/compareSnapshot.ts";
import type { L1Connection } from "../../l1/l1Connection.ts";
import type { Claims, FileClaim, StageRange } from "./readClaims.ts";

/** A stage that L1 takes, and its users' rewards. */
export interface CheckedClaim extends FileClaim {
  readonly funded: bigint;
}

/**
 * Checks that L1 takes the claim: of this chain, module and version, with L1's roots, after the challenge period, and as the
 * account's next stages.
 *
 * @throws CheckError `PROOF_INVALID`, `SNAPSHOT_DIFFERS`, `CLAIM_INVALID`; InputError `INPUT_INVALID` if the first claim would
 * give up stages; NodeError.
 */
export async function checkClaims(
  context: Context,
  l1: L1Connection,
  { first, last, all }: Claims,
  { account, range }: { readonly account: Account; readonly range: StageRange | undefined },
): Promise<readonly CheckedClaim[]> {
  const { bridgeId } = first;
  const found = findRollup(l1, first);
  for (const claim of all) requireTarget(claim.file, claim, claimTarget(found, claim.stage));
  await checkNext(context, found, { account, range, first });
  for (const claim of all) await checkSnapshot(found, claim, claim === last);
  const stages = all.map(({ stage }) => stage);
  const rewards = await readFundedRewards({ ...l1.options, bridgeId, stages });
  return all.map((claim) => {
    const funded = rewards.find(({ stage }) => stage === claim.stage)?.users;
    if (funded === undefined) throw invalid(`L1 has not funded stage ${claim.stage} for bridge ${bridgeId}`);
    return { ...claim, funded };
  });
}

/** @throws CheckError `CLAIM_INVALID` if L1 takes the stage for no registration of the bridge. */
function findRollup({ options, current, bridges, ended }: L1Connection, { bridgeId, stage }: FileClaim): RollupOnL1 {
  const registrations = [...ended, ...bridges].filter((bridge) => bridge.bridgeId === bridgeId);
  const bridge = registrationAt(registrations, stage);
  if (bridge !== undefined) return { options, bridge, current };
  throw invalid(`L1 takes stage ${stage} for no registration of bridge ${bridgeId}`);
}

async function checkSnapshot(found: RollupOnL1, claim: FileClaim, isLast: boolean): Promise<void> {
  const comparison = await compareSnapshot(found, claim);
  requireSame(comparison, claim);
  if (comparison.onL1 === undefined) {
    throw invalid(`L1's snapshot of stage ${claim.stage} is ${comparisonText(comparison, claim)}`);
  }
  const { current } = found;
  const { challengePeriodSeconds } = current.parameters;
  const end = new Date(comparison.onL1.createdAt.getTime() + Number(challengePeriodSeconds) * 1000);
  // L1 counts whole seconds.
  if (isLast && current.time.getTime() < end.getTime() + 1000) {
    throw invalid(`stage ${claim.stage} can be claimed after its challenge period, which ends at ${formatTime(end)}`);
  }
}

/** Checks that the stages follow those that the account has claimed. */
async function checkNext(
  { output }: Context,
  { options, bridge }: RollupOnL1,
  {
    account,
    range,
    first,
  }: { readonly account: Account; readonly range: StageRange | undefined; readonly first: FileClaim },
): Promise<void> {
  const { bridgeId, version, initStage } = bridge;
  const claimed = await readLastClaimedStage({ ...options, bridgeId, version, account });
  if (claimed !== undefined) {
    if (first.stage === claimed + 1n) return;
    throw first.stage <= claimed
      ? invalid(
          `${account} has claimed stage ${first.stage} already`,
          `Its next stage is ${claimed + 1n}: name stages from it on with --stages.`,
        )
      : invalid(
          `${account} has not claimed stage ${claimed + 1n} yet`,
          "Add its file of proofs: L1 takes no stage before it.",
        );
  }
  if (first.stage === initStage) return;
  const given = `a first claim from stage ${first.stage} on gives up the stages from ${initStage} to ${first.stage - 1n}`;
  if (range === undefined) {
    throw new InputError(given, {
      metaMessages: [
        "Add their files of proofs, or name the stages with --stages if the account has no score in these.",
      ],
    });
  }
  output.warn(given);
}

function invalid(message: string, ...metaMessages: readonly string[]): CheckError {
  return new CheckError(message, { code: "CLAIM_INVALID", metaMessages });
}
