import { readStage, stage as toStage, type PinnedOptions, type ScoreContract, type StageInfo } from "@vipscore/core";
import { count, formatTime, group } from "@vipscore/core/values";
import {
  awaitAgent,
  bridgesOf,
  challengeEnd,
  challengeHint,
  isSame,
  neverPaidText,
  parseMoveAddress,
  readBridgeBalance,
  readBridgeShares,
  readFundedRewards,
  readOperatorRewards,
  readVoteRules,
  refusalOf,
  removedText,
  rewardDenomOf,
  type ComputedSnapshot,
  type OperatorRewards,
  type RollupOnL1,
  type VipBridge,
  type VipOptions,
  type VipProposal,
  type VipSnapshot,
  type VipStage,
} from "@vipscore/l1";
import { snapshotOf } from "../../l1/openL1.ts";
import { printableText } from "../../output/printable.ts";
import { hintLines } from "../../output/reportError.ts";
import { action, ok, skipped, warning, type Finding } from "./findings.ts";
import { smaller, stagesText, type RegisteredVersion, type Registration } from "./registrationChecks.ts";

/** Accounts of which `doctor` computes the root; `snapshot` does for any number. */
const maxAccounts = 100_000n;

/**
 * Compares L1's snapshots with the contract's scores: users claim every stage, also long after the operator did. Reports stages
 * whose snapshot a challenge removed, and finalized ones that have none yet.
 */
export async function checkSnapshot(
  contract: ScoreContract,
  stages: readonly StageInfo[],
  {
    options,
    current,
    registration,
    initStage,
  }: { options: VipOptions; current: VipStage; registration: Registration; initStage: bigint },
  at: PinnedOptions,
): Promise<readonly Finding[]> {
  const versions = registration.versions.filter((version) => bridgesOf([version], contract.identity).length > 0);
  const removed = registration.versions.flatMap((version) =>
    version.removed.map((stage) => action(removedText(stage, version.newest), awaitAgent)),
  );
  if (versions.length === 0) return [...removed, skipped("L1 does not read this contract")];
  const compared: Finding[] = [];
  const left = { accounts: maxAccounts };
  for (const bridge of versions) {
    compared.push(...(await compareStages(contract, { options, bridge, current }, left, at)));
  }
  const finalized = stages.findLast(({ isFinalized }) => isFinalized)?.stage ?? 0n;
  const served = versions.filter(({ newest }) => newest + 1n >= initStage);
  const waiting = served.map((version) => waitingFinding(version, finalized, current));
  const findings = [...removed, ...compared, ...waiting].filter((finding) => finding !== undefined);
  return findings.length > 0 ? findings : [skipped("no stage that L1 expects is finalized yet")];
}

/**
 * Compares the snapshots of a version, the newest first: by their roots while they can be challenged, if a stage is not too large,
 * and those of older stages as long as their accounts are few together; by their totals otherwise.
 */
async function compareStages(
  contract: ScoreContract,
  l1: RollupOnL1 & { readonly bridge: RegisteredVersion },
  left: { accounts: bigint },
  at: PinnedOptions,
): Promise<readonly Finding[]> {
  const { bridge, current } = l1;
  const found: Finding[] = [];
  const [withRoot, withTotal]: [bigint[], bigint[]] = [[], []];
  for (const [number, onL1] of [...bridge.snapshots].toReversed()) {
    const stage = toStage(number);
    const info = await contract.getStage(stage, at);
    if (info === undefined) {
      const text = `L1 has stage ${stage} and earlier ones, before the contract's first one`;
      found.push({ ...skipped(text), isMade: true });
      break;
    }
    const isOpen = challengeEnd(onL1, current) > current.time;
    const isLarge = (info.count ?? 0n) > (isOpen ? maxAccounts : left.accounts);
    const state = isLarge ? undefined : await readStage(contract, stage, { ...at, info });
    if (state !== undefined && !isOpen) left.accounts -= BigInt(state.scores.size);
    const own: ComputedSnapshot =
      state === undefined ? { stage, root: undefined, total: info.total } : snapshotOf(state, stage, bridge.bridgeId);
    if (!isSame(onL1, own)) found.push(differing(own, onL1, l1));
    else if (isLarge) withTotal.push(stage);
    else withRoot.push(stage);
  }
  const listed = ([newest, ...others]: readonly bigint[], text: string): readonly Finding[] => {
    if (newest === undefined) return [];
    const stages = others.length === 0 ? `stage ${newest}` : `${count(others.length + 1, "stage")} up to ${newest}`;
    return [ok(`L1 has ${stages} with ${text}`)];
  };
  return [
    ...found,
    ...listed(withRoot, "the contract's root and total"),
    ...listed(withTotal, "the contract's total; the root was not computed: vipscore snapshot --stage <n>"),
  ];
}

function differing({ stage, total }: ComputedSnapshot, onL1: VipSnapshot, l1: RollupOnL1): Finding {
  const compare = `Compare the scores: vipscore snapshot --stage ${stage}`;
  const totals = `L1's snapshot of stage ${stage} has the total ${group(onL1.total)}, the contract ${group(total)}`;
  // A contract that replaced another one has no scores of the stages that L1 read from the other.
  if (total === 0n) return warning(`${totals}: it was read from an earlier contract, or it is wrong`, compare);
  const ends = challengeEnd(onL1, l1.current);
  const roots = onL1.total === total ? ", and another root" : "";
  const advice = [compare, challengeHint(onL1, stage, l1)];
  const found = action(`${totals}${roots}: L1 refuses the claims of its users`, ...hintLines({ advice }));
  return ends > l1.current.time ? { ...found, facts: { challengeEnds: ends.getTime() / 1000 } } : found;
}

/** Reports stages that are finalized and have no snapshot. The agent needs a while for the newest one. */
function waitingFinding(
  { newest, endStage }: RegisteredVersion,
  finalized: bigint,
  current: VipStage,
): Finding | undefined {
  const next = newest + 1n;
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
  const denom = rewardDenomOf(await readVoteRules(options));
  const findings = versions.map(async (version, index) =>
    claimsOf(version, await readOperatorRewards({ ...options, ...version, stages: version }), {
      isNewest: index === versions.length - 1,
      denom,
    }),
  );
  return (await Promise.all(findings)).flat();
}

function claimsOf(
  { bridgeId, version, endStage }: RegisteredVersion,
  found: OperatorRewards,
  { isNewest, denom }: { readonly isNewest: boolean; readonly denom: string },
): readonly Finding[] {
  const { rewards, isClaimable } = found;
  const registration = `bridge ${bridgeId}, version ${version}`;
  const refusal = refusalOf(found);
  if (refusal !== undefined) return [warning(`${registration}: ${refusal.text}`, refusal.advice)];
  const due = rewards.filter((reward) => reward.due > 0n);
  const unopened = rewards.filter(({ isVesting, reward, unpaid }) => !isVesting && reward > unpaid);
  if (!isClaimable || due.length + unopened.length === 0) return [];
  const list = (amounts: readonly (readonly [bigint, bigint])[]): string =>
    amounts.map(([stage, amount]) => `${group(amount)} ${denom} of stage ${stage}`).join(", ");
  const parts = [
    ...(due.length > 0 ? [`claim ${list(due.map((reward) => [reward.stage, reward.due]))}`] : []),
    ...(unopened.length > 0
      ? [`open the vesting of ${list(unopened.map(({ stage, reward, unpaid }) => [stage, reward - unpaid]))}`]
      : []),
  ];
  const named = isNewest ? "" : ` --bridge-version ${version}`;
  const never = neverPaidText({ endStage }, rewards, denom);
  return [
    warning(
      `the operator of ${registration} can ${parts.join(" and ")}${never === undefined ? "" : `; ${never}`}`,
      `With the operator's key: vipscore operator claim --bridge-id ${bridgeId}${named} --out <file> --sign`,
    ),
  ];
}

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
  const least = average !== undefined && average < balance.amount ? average : balance.amount;
  const advice = `Have users bridge more to the rollup: if the average is below the minimum when stage ${current.stage} ends, stage ${current.stage + 1n} pays nothing.`;
  const judge = (): Finding => {
    if (least < minimum) return action(text, advice);
    if (least * 10n < minimum * 11n) return warning(`${text}: that is near`, advice);
    if (funded.some(({ users }) => users === 0n)) return warning(text);
    return minimum === 0n ? { ...skipped(text), isMade: true } : ok(text);
  };
  return { ...judge(), facts: { bridgeBalance: Number(balance.amount) } };
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
  const [, code = ""] = /\bcode=(\d+)/.exec(failedReason) ?? [];
  const meaning = aborts[code] === undefined ? "" : `: ${aborts[code]}`;
  return [warning(`${proposal} was accepted, and its call failed: ${printableText(failedReason)}${meaning}`)];
}

/** Why the module `vip` refuses what governance calls. */
const aborts: Readonly<Record<string, string>> = {
  "851970": "the bridge was registered already",
  "851975": "the bridge was not registered",
  "852002": "the bridge held less than VIP's minimum when the vote executed",
};
