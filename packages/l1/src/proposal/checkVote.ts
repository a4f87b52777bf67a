import { CheckError, formatBech32, InputError } from "@vipscore/core";
import { readBalance, readVoteRules, type VoteRules } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import type { OpenProposal, ProposalFlags } from "./openProposal.ts";

/** The rules of votes, and when the vote on a proposal that is sent now ends at the latest. */
export interface Vote {
  readonly rules: VoteRules;
  readonly endsBy: Date;
}

/**
 * Checks the deposit's denomination and its owner's balance on L1, and warns of a deposit that does not start the vote.
 *
 * @throws InputError `PROPOSAL_INVALID`; CheckError `INSUFFICIENT_FUNDS` if the transaction is signed, because a signed file
 * is for now; NodeError.
 */
export async function checkDeposit(
  { output }: Context,
  { file: { deposit }, l1: { options, current, signer }, proposer }: OpenProposal,
  { settings }: Pick<ProposalFlags, "settings">,
  { expedited = false }: { readonly expedited?: boolean } = {},
): Promise<Vote> {
  const rules = await readVoteRules(options);
  const { minimumDeposit, votingPeriodSeconds } = expedited ? rules.expedited : rules;
  const required = minimumDeposit.find(({ denom }) => denom === deposit.denom);
  const shown = minimumDeposit.map(({ amount, denom }) => `${amount}${denom}`).join(" or ");
  if (required === undefined) {
    throw new InputError(`${settings}: deposit is in ${deposit.denom}, which L1's governance does not accept`, {
      code: "PROPOSAL_INVALID",
      metaMessages: [`The vote starts with a deposit of ${shown}.`],
    });
  }
  const balance = await readBalance({ ...options, account: proposer, denom: deposit.denom });
  if (balance < deposit.amount) {
    const short = `the proposer ${formatBech32(proposer)} holds ${balance}${deposit.denom} on L1, less than the deposit of ${deposit.amount}${deposit.denom}`;
    if (signer !== undefined) {
      throw new CheckError(short, {
        code: "INSUFFICIENT_FUNDS",
        metaMessages: ["Fund the proposer, then sign: L1 would refuse the transaction."],
      });
    }
    output.warn(`${short}: fund it before the transaction is sent`);
  }
  const isWhole = deposit.amount >= required.amount;
  if (!isWhole) {
    output.warn(`the deposit is below ${shown}: L1 may refuse it, and the vote starts only once others add the rest`);
  }
  const seconds = votingPeriodSeconds + (isWhole ? 0n : rules.depositPeriodSeconds);
  return { rules, endsBy: new Date(current.time.getTime() + Number(seconds) * 1000) };
}
