import { CheckError, type StageState } from "@vipscore/core";
import { formatTime } from "@vipscore/core/values";
import { checkChallengeTime, type VipBridge, type VoteRules } from "@vipscore/l1";
import type { Snapshot } from "@vipscore/snapshot";
import type { Context } from "../../context.ts";
import { compareSnapshot } from "../../l1/compareSnapshot.ts";
import type { L1Connection } from "../../l1/l1Connection.ts";

/** A snapshot to put in the place of L1's. */
export interface ChallengeToCheck {
  readonly l1: L1Connection;
  readonly bridge: VipBridge;
  readonly state: StageState;
  readonly snapshot: Snapshot;
  readonly rules: VoteRules;
  readonly expedited: boolean;
}

/**
 * Checks that L1 has another snapshot of the stage, and that a vote can still replace it; says until when.
 *
 * @throws CheckError `CHALLENGE_NEEDLESS`, `CHALLENGE_LATE`; NodeError.
 */
export async function checkChallenge({ output }: Context, challenge: ChallengeToCheck): Promise<void> {
  const { l1, bridge, state, snapshot, rules, expedited } = challenge;
  const { current, options } = l1;
  const { stage } = snapshot;
  const { onL1, status } = await compareSnapshot({ current, options, bridge }, snapshot);
  if (!state.info.isFinalized) {
    throw needless(`stage ${stage} is not finalized on the contract`, `Finalize it first: vipscore finalize`);
  }
  if (onL1 === undefined) {
    const { bridgeId, version } = bridge;
    throw needless(
      `L1 has no snapshot of stage ${stage} for bridge ${bridgeId}, version ${version}`,
      "Wait for VIP's agent.",
    );
  }
  if (status !== "differs") {
    throw needless(`L1's snapshot of stage ${stage} is what the contract's scores give`, "There is nothing to do.");
  }
  const startBefore = checkChallengeTime(onL1, { current, rules, expedited });
  output.warn(`the vote executes in time only if it starts, with its whole deposit, before ${formatTime(startBefore)}`);
}

function needless(message: string, hint: string): CheckError {
  return new CheckError(message, { code: "CHALLENGE_NEEDLESS", metaMessages: [hint] });
}
