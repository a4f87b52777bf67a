import { formatTime } from "@vipscore/core/values";
import { readVipProposals, type VipOptions, type VipProposal, type VipStage } from "@vipscore/l1";
import { printableText } from "../../output/printableText.ts";
import { ok, warning, type Finding } from "./finding.ts";

/** Reports the open proposals about the rollup's bridge, and those that failed and were not proposed again. */
export async function checkProposals(
  options: VipOptions,
  { vip }: VipStage,
  bridgeId: bigint,
): Promise<readonly Finding[]> {
  const proposals = await readVipProposals({ ...options, vip, bridgeId });
  return proposals
    .filter(({ functionName }, index) => proposals.findIndex((other) => other.functionName === functionName) === index)
    .flatMap(findingOf);
}

function findingOf({ id, functionName, status, deadline, failedReason }: VipProposal): readonly Finding[] {
  const until = deadline === undefined ? "" : ` until ${formatTime(deadline)}`;
  const proposal = `proposal ${id} (${printableText(functionName)})`;
  if (status === "VOTING_PERIOD") return [ok("proposals", `${proposal}: L1 votes on it${until}`)];
  if (status === "DEPOSIT_PERIOD") {
    const fix = "Add what is missing: the vote starts only then.";
    return [warning("proposals", `${proposal} waits for its deposit${until}`, fix)];
  }
  if (status === "REJECTED") return [warning("proposals", `${proposal} was rejected`)];
  if (status !== "FAILED") return [];
  return [warning("proposals", `${proposal} was accepted, and its call failed: ${printableText(failedReason)}`)];
}
