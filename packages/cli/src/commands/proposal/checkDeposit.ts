import { InputError } from "@vipscore/core";
import { readMinimumDeposit, type Deposit, type VipOptions } from "@vipscore/l1";
import type { Context } from "../../context.ts";

/**
 * Checks the deposit's denomination on L1, and warns of a deposit that does not start the vote.
 *
 * @throws InputError `PROPOSAL_INVALID`; NodeError.
 */
export async function checkDeposit(
  { output }: Context,
  options: VipOptions,
  { settings, deposit }: { readonly settings: string; readonly deposit: Deposit },
): Promise<void> {
  const minimum = await readMinimumDeposit(options);
  const required = minimum.find(({ denom }) => denom === deposit.denom);
  const shown = minimum.map(({ amount, denom }) => `${amount}${denom}`).join(" or ");
  if (required === undefined) {
    throw new InputError(`${settings}: deposit is in ${deposit.denom}, which L1's governance does not accept`, {
      code: "PROPOSAL_INVALID",
      metaMessages: [`The vote starts with a deposit of ${shown}.`],
    });
  }
  if (deposit.amount >= required.amount) return;
  output.warn(`the deposit is below ${shown}: L1 may refuse it, and the vote starts only once others add the rest`);
}
