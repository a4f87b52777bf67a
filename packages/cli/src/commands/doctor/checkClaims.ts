import { group } from "@vipscore/core/values";
import { readOperatorRewards, type OperatorRewards, type VipOptions } from "@vipscore/l1";
import { warning, type Finding } from "./finding.ts";
import type { RegisteredVersion, Registration } from "./findRegistration.ts";

/** Reports the rewards that wait for a claim of the operator, of every registration of the bridge. */
export async function checkClaims(options: VipOptions, { versions }: Registration): Promise<readonly Finding[]> {
  const findings = versions.map(async (version, index) =>
    claimsOf(version, await readOperatorRewards({ ...options, ...version }), index === versions.length - 1),
  );
  return (await Promise.all(findings)).flat();
}

function claimsOf(
  { bridgeId, version }: RegisteredVersion,
  { rewards, unfundedStage, isClaimable }: OperatorRewards,
  isNewest: boolean,
): readonly Finding[] {
  const registration = `bridge ${bridgeId}, version ${version}`;
  if (unfundedStage !== undefined) {
    const text = `L1 refuses the operator's claims of ${registration}: it has not funded stage ${unfundedStage}`;
    return [warning("claims", text, "Ask those who run VIP: only its module can fund the stage.")];
  }
  const due = rewards.filter((reward) => reward.due > 0n);
  const unopened = rewards.filter(({ isVesting, reward }) => !isVesting && reward > 0n);
  if (!isClaimable || due.length + unopened.length === 0) return [];
  const list = (amounts: readonly (readonly [bigint, bigint])[]): string =>
    amounts.map(([stage, amount]) => `${group(amount)} of stage ${stage}`).join(", ");
  const parts = [
    ...(due.length > 0 ? [`claim ${list(due.map((reward) => [reward.stage, reward.due]))}`] : []),
    ...(unopened.length > 0
      ? [`open the vesting of ${list(unopened.map(({ stage, reward }) => [stage, reward]))}`]
      : []),
  ];
  const named = isNewest ? "" : ` --bridge-version ${version}`;
  return [
    warning(
      "claims",
      `the operator of ${registration} can ${parts.join(" and ")}`,
      `With the operator's key: vipscore operator claim --bridge-id ${bridgeId}${named} --out commission.json --sign`,
    ),
  ];
}
