import { readStage, stage as toStage, type PinnedOptions, type ScoreContract, type StageInfo } from "@vipscore/core";
import { count, formatTime, group } from "@vipscore/core/values";
import {
  bridgesOf,
  compareSnapshot,
  parseMoveAddress,
  readBridgeBalance,
  readBridgeShares,
  readFundedRewards,
  readOperatorRewards,
  type ComputedSnapshot,
  type OperatorRewards,
  type VipBridge,
  type VipOptions,
  type VipProposal,
  type VipStage,
} from "@vipscore/l1";
import { snapshotOf } from "../../l1/openL1.ts";
import { printableText } from "../../output/printable.ts";
import { action, ok, skipped, warning, type Finding } from "./findings.ts";
import { smaller, stagesText, type RegisteredVersion, type Registration } from "./registrationChecks.ts";

/** Accounts of which `doctor` computes the root; `snapshot` does for any number. */
const maxAccounts = 100_000n;

/** What the contract's stages are compared with. */
interface SnapshotContext {
  readonly options: VipOptions;
  readonly current: VipStage;
  readonly registration: Registration;
  readonly initStage: bigint;
}

/** Compares L1's newest snapshot with the contract's scores, and reports finalized stages that have none. */
export async function checkSnapshot(
  contract: ScoreContract,
  stages: readonly StageInfo[],
  { options, current, registration, initStage }: SnapshotContext,
  at: PinnedOptions,
): Promise<readonly Finding[]> {
  const versions = registration.versions.filter((version) => bridgesOf([version], contract.identity).length > 0);
  if (versions.length === 0) return [skipped("L1 does not read this contract")];
  const newest = versions.findLast((version) => version.newest >= version.initStage);
  const compared = newest && (await compareNewest(contract, newest, { options, current }, at));
  const finalized = stages.findLast(({ isFinalized }) => isFinalized)?.stage ?? 0n;
  const served = versions.filter(({ next }) => next >= initStage);
  const found = [compared, ...served.map((version) => waitingFinding(version, finalized, current))];
  const findings = found.filter((finding) => finding !== undefined);
  return findings.length > 0 ? findings : [skipped("no stage that L1 expects is finalized yet")];
}

/** Compares a version's newest snapshot, by its root if the stage is not too large. */
async function compareNewest(
  contract: ScoreContract,
  bridge: RegisteredVersion,
  l1: Pick<SnapshotContext, "options" | "current">,
  at: PinnedOptions,
): Promise<Finding | undefined> {
  const stage = toStage(bridge.newest);
  const info = await contract.getStage(stage, at);
  if (info === undefined) return skipped(`L1 has stage ${stage}, which is before the contract's first one`);
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
          `L1 has stage ${stage} with the contract's ${total}; the root of ${count(info.count, "account")} was not computed: vipscore snapshot --stage ${stage}`,
        )
      : ok(`L1 has stage ${stage} with the contract's root and ${total}`);
  }
  const totals = `L1's snapshot of stage ${stage} has the total ${group(onL1.total)}, the contract ${group(info.total)}`;
  // A contract that replaced another one has no scores of the stages that L1 read from the other.
  if (info.total === 0n) return warning(`${totals}: it was read from an earlier contract, or it is wrong`, compare);
  const roots = onL1.total === info.total ? ", and another root" : "";
  return action(`${totals}${roots}`, compare);
}

/** Reports stages that are finalized and have no snapshot. The agent needs a while for the newest one. */
function waitingFinding(
  { next, newest, endStage }: RegisteredVersion,
  finalized: bigint,
  current: VipStage,
): Finding | undefined {
  if (newest > next) {
    return warning(
      `L1 has no snapshot of stage ${next}, though it has that of stage ${newest}: a challenge removed it, and L1 refuses each claim that includes the stage`,
      "Claim once VIP's agent has submitted it again. Ask those who run the agent: L1's ModuleStore names its api_uri.",
    );
  }
  const last = smaller(smaller(finalized, current.stage - 1n), endStage);
  if (last < next) return undefined;
  if (next === current.stage - 1n) return ok(`stage ${next} is finalized; L1 does not have its snapshot yet`);
  return warning(
    `${stagesText(next, last)} finalized, and L1 has no snapshot of stage ${next}, though it is at stage ${current.stage}: users wait for VIP's agent`,
    "If it stays so, ask those who run the agent: L1's ModuleStore names its api_uri.",
  );
}

/** Reports the rewards that wait for a claim of the operator, of every registration of the bridge. */
export async function checkClaims(options: VipOptions, { versions }: Registration): Promise<readonly Finding[]> {
  const findings = versions.map(async (version, index) =>
    claimsOf(version, await readOperatorRewards({ ...options, ...version }), index === versions.length - 1),
  );
  return (await Promise.all(findings)).flat();
}

function claimsOf(
  { bridgeId, version }: RegisteredVersion,
  { rewards, unfundedStage, removedStage, isClaimable }: OperatorRewards,
  isNewest: boolean,
): readonly Finding[] {
  const registration = `bridge ${bridgeId}, version ${version}`;
  if (unfundedStage !== undefined) {
    const text = `L1 refuses the operator's claims of ${registration}: it has not funded stage ${unfundedStage}`;
    return [warning(text, "Ask those who run VIP: only its module can fund the stage.")];
  }
  if (removedStage !== undefined) {
    const text = `L1 refuses the operator's claims of ${registration}: it has no snapshot of stage ${removedStage}`;
    return [warning(text, "Claim once VIP's agent has submitted it again: a claim before costs its fee and fails.")];
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
      `the operator of ${registration} can ${parts.join(" and ")}`,
      `With the operator's key: vipscore operator claim --bridge-id ${bridgeId}${named} --out commission.json --sign`,
    ),
  ];
}

/** Stages whose rewards are shown, the newest ones. */
const stagesShown = 5n;

/**
 * Compares what the bridge holds on L1 with VIP's minimum, on average in the current stage, which decides the next one's rewards,
 * and now; and shows what its newest stages were funded with.
 */
export async function checkRewards(options: VipOptions, current: VipStage, bridge: VipBridge): Promise<Finding> {
  const bridgeAddress = parseMoveAddress(bridge.bridgeAddress);
  const { bridgeId } = bridge;
  const [balance, funded, { shares }] = await Promise.all([
    readBridgeBalance({ ...options, bridgeAddress }),
    readFundedRewards({ ...options, bridgeId, stages: stagesOf(bridge, current) }),
    readBridgeShares(options, current),
  ]);
  const { averageBalance: average } = shares.find((share) => share.bridgeId === bridgeId) ?? {};
  const { minimumEligibleTvl: minimum } = current.parameters;
  const amount = (value: bigint): string => `${group(value)} ${balance.denom}`;
  const stages = funded.map(({ stage, users }) => `${amount(users)} for stage ${stage}`);
  const rewards = stages.length === 0 ? "" : `; its users share ${stages.join(", ")}`;
  const onAverage = average === undefined ? "" : `, on average ${amount(average)} in stage ${current.stage}`;
  const text = `bridge ${bridgeId} holds ${amount(balance.amount)} on L1${onAverage}; VIP's minimum is ${amount(minimum)}${rewards}`;
  if (balance.amount < minimum || (average !== undefined && average < minimum)) {
    return action(
      text,
      `Have users bridge more to the rollup: if the average is below the minimum when stage ${current.stage} ends, stage ${current.stage + 1n} pays nothing.`,
    );
  }
  return funded.some(({ users }) => users === 0n) ? warning(text) : ok(text);
}

/** The registration's newest stages that L1 has reached, oldest first. */
function stagesOf({ initStage }: VipBridge, { stage }: VipStage): readonly bigint[] {
  const stages: bigint[] = [];
  for (let number = stage; number >= initStage && stage - number < stagesShown; number -= 1n) stages.unshift(number);
  return stages;
}

/** Reports the open proposals about the rollup's bridge, and those that failed and were not proposed again. */
export function checkProposals(proposals: readonly VipProposal[]): readonly Finding[] {
  return proposals
    .filter(({ functionName }, index) => proposals.findIndex((other) => other.functionName === functionName) === index)
    .flatMap(findingOf);
}

function findingOf({ id, functionName, status, deadline, failedReason }: VipProposal): readonly Finding[] {
  const until = deadline === undefined ? "" : ` until ${formatTime(deadline)}`;
  const proposal = `proposal ${id} (${printableText(functionName)})`;
  if (status === "VOTING_PERIOD") return [ok(`${proposal}: L1 votes on it${until}`)];
  if (status === "DEPOSIT_PERIOD") {
    const fix = "Add what is missing: the vote starts only then.";
    return [warning(`${proposal} waits for its deposit${until}`, fix)];
  }
  if (status === "REJECTED") return [warning(`${proposal} was rejected`)];
  if (status !== "FAILED") return [];
  return [warning(`${proposal} was accepted, and its call failed: ${printableText(failedReason)}`)];
}
