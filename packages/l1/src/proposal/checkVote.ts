import { InputError, VipError, type Hint } from "@vipscore/core";
import { formatTime } from "@vipscore/core/values";
import type { VipOptions } from "../vip/openVip.ts";
import type { VipBridge } from "../vip/readVipBridges.ts";
import { challengeEnd, type VipSnapshot } from "../vip/readVipSnapshot.ts";
import type { VipStage } from "../vip/readVipStage.ts";
import { compareSnapshot, type ComputedSnapshot } from "../vip/snapshotOnL1.ts";
import type { ForumPost } from "./forumPost.ts";
import { readVoteRules, type VoteRules } from "./readVoteRules.ts";
import type { Deposit } from "./vipMessages.ts";

/** L1 as it was read, and how to read more of it. */
export interface OpenL1 {
  readonly current: VipStage;
  readonly options: VipOptions;
}

/** The deposit of a proposal. */
export interface DepositToCheck {
  /** The file that names the deposit, for messages. */
  readonly name: string;
  readonly deposit: Deposit;
  readonly expedited: boolean;
}

/**
 * Checks the deposit's denomination, and warns of a deposit that does not start the vote.
 *
 * @returns the rules of votes, and when the vote on a proposal that is sent now ends at the latest.
 * @throws InputError `PROPOSAL_INVALID`; NodeError.
 */
export async function checkDeposit(
  { options, current }: OpenL1,
  { name, deposit, expedited }: DepositToCheck,
): Promise<{ readonly rules: VoteRules; readonly endsBy: Date; readonly warnings: readonly string[] }> {
  const rules = await readVoteRules(options);
  const { minimumDeposit, votingPeriodSeconds } = expedited ? rules.expedited : rules;
  const required = minimumDeposit.find(({ denom }) => denom === deposit.denom);
  const minimum = formatDeposits(minimumDeposit);
  if (required === undefined) {
    throw new InputError(`${name}: deposit is in ${deposit.denom}, which L1's governance does not accept`, {
      code: "PROPOSAL_INVALID",
      metaMessages: [`The vote starts with a deposit of ${minimum}.`],
    });
  }
  const warnings: string[] = [];
  const isWhole = deposit.amount >= required.amount;
  if (!isWhole) {
    warnings.push(
      `the deposit is below ${minimum}: L1 may refuse it, and the vote starts only once others add the rest`,
    );
  }
  const seconds = votingPeriodSeconds + (isWhole ? 0n : rules.depositPeriodSeconds);
  return { rules, endsBy: new Date(current.time.getTime() + Number(seconds) * 1000), warnings };
}

/** A vote on a challenge. */
export interface ChallengeVote {
  readonly rules: VoteRules;
  readonly expedited: boolean;
}

/**
 * Checks that L1 has another snapshot of the stage, and that a vote can still replace it.
 *
 * @param isFinalized Whether the stage is finalized on the contract.
 * @returns the time before which the vote must start, and what voters compare.
 * @throws VipError `CHALLENGE_NEEDLESS`, `CHALLENGE_LATE`; NodeError.
 */
export async function checkChallenge(
  l1: OpenL1,
  bridge: VipBridge,
  { isFinalized }: { readonly isFinalized: boolean },
  computed: ComputedSnapshot,
  vote: ChallengeVote,
): Promise<{ readonly startBefore: Date; readonly facts: ForumPost["facts"] }> {
  const { stage } = computed;
  const { onL1, status } = await compareSnapshot({ ...l1, bridge }, computed);
  const needless = (message: string, hint: string | Hint): VipError =>
    new VipError(message, { code: "CHALLENGE_NEEDLESS", metaMessages: [hint] });
  if (!isFinalized) {
    throw needless(`stage ${stage} is not finalized on the contract`, { code: "finalize", text: "Finalize it first." });
  }
  if (onL1 === undefined) {
    const { bridgeId, version, initStage } = bridge;
    throw needless(
      `L1 has no snapshot of stage ${stage} for bridge ${bridgeId}, version ${version}`,
      stage < initStage
        ? `The first stage of this version is ${initStage}, and governance cannot challenge a version that has ended.`
        : "Wait for VIP's agent.",
    );
  }
  if (status !== "differs") {
    throw needless(`L1's snapshot of stage ${stage} matches the contract's scores`, "There is nothing to do.");
  }
  const startBefore = checkChallengeTime(onL1, l1.current, vote);
  const rowOf = ({ root = "none", total }: Partial<ComputedSnapshot>): string => `root ${root}, total ${total}`;
  const facts = [
    ["L1's snapshot, which is wrong", rowOf(onL1)] as const,
    ["The contract's scores", rowOf(computed)] as const,
  ];
  return { startBefore, facts };
}

/**
 * Checks that a vote on a challenge can execute within the challenge period, which starts when the snapshot is submitted
 * (`execute_challenge`: `create_time + challenge_period > execution_time`). A vote starts with its whole deposit.
 *
 * @returns the time before which the vote must start, and what voters compare.
 */
export function checkChallengeTime(
  snapshot: Pick<VipSnapshot, "createdAt">,
  current: VipStage,
  { rules, expedited }: ChallengeVote,
): Date {
  const end = challengeEnd(snapshot, current);
  const startBefore = (vote: Pick<VoteRules, "votingPeriodSeconds">): Date =>
    new Date(end.getTime() - 1000 * Number(vote.votingPeriodSeconds));
  const latest = startBefore(expedited ? rules.expedited : rules);
  if (current.time < latest) return latest;
  const fast = startBefore(rules.expedited);
  const deposit = formatDeposits(rules.expedited.minimumDeposit);
  throw new VipError(
    `the vote would end after the challenge period, which ends at ${formatTime(end)}: it had to start before ${formatTime(latest)}`,
    {
      code: "CHALLENGE_LATE",
      metaMessages: [
        !expedited && current.time < fast
          ? {
              code: "expedite",
              before: formatTime(fast),
              deposit,
              text: `An expedited vote can be in time if it starts before ${formatTime(fast)}. It needs a deposit of ${deposit}.`,
            }
          : "Governance can only set a longer challenge_period first, with vip::update_params. Rewards that were claimed until then stay paid.",
      ],
    },
  );
}

function formatDeposits(deposits: readonly Deposit[]): string {
  return deposits.map(({ amount, denom }) => `${amount}${denom}`).join(" or ");
}
