import { CheckError } from "@vipscore/core";
import { formatUtc } from "../vip/formatUtc.ts";
import type { VipSnapshot } from "../vip/readVipSnapshot.ts";
import type { VipStage } from "../vip/vipStage.ts";
import type { VoteRules } from "./readVoteRules.ts";

/** A vote on a challenge. */
export interface ChallengeVote {
  readonly current: VipStage;
  readonly rules: VoteRules;
  readonly expedited: boolean;
}

/**
 * Checks that a vote on a challenge can execute within the challenge period, which starts when the snapshot is submitted
 * (`execute_challenge`: `create_time + challenge_period > execution_time`). A vote starts with its whole deposit.
 *
 * @returns the time before which the vote must start.
 * @throws CheckError `CHALLENGE_LATE`, with what can still be done.
 */
export function checkChallengeTime({ createdAt }: VipSnapshot, { current, rules, expedited }: ChallengeVote): Date {
  const end = createdAt.getTime() + 1000 * Number(current.parameters.challengePeriodSeconds);
  const startBefore = (vote: Pick<VoteRules, "votingPeriodSeconds">): Date =>
    new Date(end - 1000 * Number(vote.votingPeriodSeconds));
  const latest = startBefore(expedited ? rules.expedited : rules);
  if (current.time < latest) return latest;
  const fast = startBefore(rules.expedited);
  const before = formatUtc(fast);
  const deposit = rules.expedited.minimumDeposit.map(({ amount, denom }) => `${amount}${denom}`).join(" or ");
  throw new CheckError(
    `the vote would end after the challenge period, which ends at ${formatUtc(new Date(end))}: it had to start before ${formatUtc(latest)}`,
    {
      code: "CHALLENGE_LATE",
      metaMessages: [
        !expedited && current.time < fast
          ? {
              code: "expedite",
              before,
              deposit,
              text: `An expedited vote can be in time if it starts before ${before}. It needs a deposit of ${deposit}.`,
            }
          : "Governance can only set a longer challenge_period first, with vip::update_params. Rewards that were claimed until then stay paid.",
      ],
    },
  );
}
