import { CheckError } from "@vipscore/core";
import { formatRatio, ratioOne } from "../bcs/ratio.ts";
import type { Commission, VipOperator } from "../vip/readVipOperator.ts";

/**
 * Checks the commission of a new registration as L1 does: no rate above 1, and the rate at most the maximum.
 *
 * @throws CheckError `COMMISSION_INVALID`.
 */
export function checkCommission({ maxRate, maxChangeRate, rate }: Commission): void {
  const rates = { "maximum commission": maxRate, "maximum change of the commission": maxChangeRate, commission: rate };
  for (const [name, value] of Object.entries(rates)) {
    if (value > ratioOne) throw invalid(`the ${name} ${formatRatio(value)} is above 1`);
  }
  checkMaximum(rate, maxRate);
}

/**
 * Checks a change of an operator's commission as L1 does: at most the maximum, not too far from the last rate, and not twice
 * in a stage.
 *
 * @param stage - L1's current stage.
 * @throws CheckError `COMMISSION_INVALID`.
 */
export function checkCommissionChange(
  { commission, lastChangedStage }: VipOperator,
  rate: bigint,
  stage: bigint,
): void {
  if (stage <= lastChangedStage) {
    throw invalid(
      `the commission was set in stage ${lastChangedStage}, and L1 is still in it`,
      "Wait for the next stage.",
    );
  }
  checkMaximum(rate, commission.maxRate);
  const change = rate > commission.rate ? rate - commission.rate : commission.rate - rate;
  if (change <= commission.maxChangeRate) return;
  const most = formatRatio(commission.maxChangeRate);
  throw invalid(
    `the commission would change from ${formatRatio(commission.rate)} to ${formatRatio(rate)}, by more than ${most}`,
    "Change it in several stages.",
  );
}

function checkMaximum(rate: bigint, maxRate: bigint): void {
  if (rate <= maxRate) return;
  throw invalid(`the commission ${formatRatio(rate)} is above its maximum ${formatRatio(maxRate)}`);
}

function invalid(message: string, ...metaMessages: readonly string[]): CheckError {
  return new CheckError(message, { code: "COMMISSION_INVALID", metaMessages });
}
