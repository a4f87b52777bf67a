import {
  listLastStages,
  stage as toStage,
  VipError,
  type PinnedOptions,
  type ScoreContract,
  type Stage,
} from "@vipscore/core";
import { count, formatTime } from "@vipscore/core/values";
import type { VipOptions } from "../vip/openVip.ts";
import type { VipBridge } from "../vip/readVipBridges.ts";
import type { VipStage } from "../vip/readVipStage.ts";
import { readSnapshotStages } from "../vip/snapshotStages.ts";

type StageReader = Pick<ScoreContract, "getHeight" | "getInitStage" | "getStage">;

/**
 * Checks that L1 can pay the first stage that it will need of a rollup that is registered by a vote.
 *
 * @param voteEndsAt The latest time at which the vote ends if the proposal is sent now.
 * @param ended The bridge's earlier registrations: L1 still takes their stages.
 * @returns warnings, also of stages that are empty or must be finalized before.
 * @throws VipError `FIRST_STAGE_LATE`; NodeError.
 */
export async function checkNewStages(
  current: VipStage,
  contract: StageReader,
  voteEndsAt: Date,
  ended: readonly Pick<VipBridge, "endStage">[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const at = { height: await contract.getHeight({ signal }), signal };
  const initStage = await contract.getInitStage(at);
  const { earliest, expected, warnings } = checkFirstStage(current, initStage, voteEndsAt);
  const openText = (open: bigint): string => unknownFirstStage(open, current, expected, ended);
  return [
    ...warnings,
    ...(await emptyStageWarnings(contract, initStage, { paidFrom: earliest, expected, openText }, at)),
  ];
}

/**
 * Checks that a replacement has the next stage that L1 needs of the rollup; see {@link checkNewStages}.
 *
 * @throws VipError `FIRST_STAGE_LATE`; NodeError.
 */
export async function checkReplacementStages(
  options: VipOptions,
  contract: StageReader,
  { bridgeId, version, initStage }: VipBridge,
): Promise<readonly string[]> {
  const { signal } = options;
  const at = { height: await contract.getHeight({ signal }), signal };
  const { next } = await readSnapshotStages({ ...options, bridgeId, version, initStage });
  const first = await contract.getInitStage(at);
  checkReplacementStage(first, next);
  const openText = (open: bigint): string =>
    `L1 needs the snapshot of stage ${next} next, and stage ${open} is open: finalize ${count(next - open, "stage")} without scores before it`;
  return emptyStageWarnings(contract, first, { paidFrom: next, expected: next, openText }, at);
}

interface ExpectedStages {
  /** The first stage that L1 may pay by the contract. */
  readonly paidFrom: bigint;
  /** The one that it is due to pay first. */
  readonly expected: bigint;
  /** What is said of an open stage before that one. */
  readonly openText: (open: bigint) => string;
}

async function emptyStageWarnings(
  contract: StageReader,
  first: Stage,
  { paidFrom, expected, openText }: ExpectedStages,
  at: PinnedOptions,
): Promise<readonly string[]> {
  const [newest] = await listLastStages(contract, { first, limit: 1, ...at });
  if (newest === undefined) return [];
  const warnings: string[] = [];
  if (newest.stage < expected) {
    warnings.push(openText(newest.stage));
  }
  const { empty, unreadFrom } = await findEmptyStages(contract, { first: paidFrom, last: newest.stage }, at);
  if (empty.length > 0) {
    warnings.push(
      `finalized without scores in the contract: stage ${empty.join(", ")}. L1 would take it as it is, and pay nobody for it.`,
    );
  }
  if (unreadFrom !== undefined) {
    warnings.push(`whether the stages ${unreadFrom} to ${newest.stage} have scores was not checked`);
  }
  return warnings;
}

/**
 * Says what follows from the stage in which the vote executes, which nobody knows before: nothing may be finalized without scores
 * until L1 shows the first stage, because that cannot be undone.
 */
function unknownFirstStage(
  open: bigint,
  { stage: running }: VipStage,
  expected: bigint,
  ended: readonly Pick<VipBridge, "endStage">[],
): string {
  const later = expected > running + 1n ? `, stage ${expected} if it is at stage ${expected - 1n}` : "";
  const paidUntil = ended.map(({ endStage = 0n }) => endStage).findLast((last) => last >= open);
  const paid =
    paidUntil === undefined
      ? ""
      : `L1 still takes stage ${paidUntil} and earlier for the registration that has ended: finalize these with their scores. `;
  return (
    `${paid}Stage ${open} is open. The first stage of the new registration is known when the vote executes: ` +
    `stage ${running + 1n} if L1 is still at stage ${running}${later}. Finalize none without scores before L1 shows it`
  );
}

/** Stages that are read at most: on mainnet, those of four years. */
const maxRead = 100n;

/** Finds the stages, of at most 100, that are finalized without scores, and the first that was not read. */
export async function findEmptyStages(
  contract: Pick<ScoreContract, "getStage">,
  { first, last }: { readonly first: bigint; readonly last: bigint },
  at: PinnedOptions,
): Promise<{ readonly empty: readonly bigint[]; readonly unreadFrom: bigint | undefined }> {
  const end = first + maxRead;
  const empty: bigint[] = [];
  for (let number = first; number <= last && number < end; number += 1n) {
    const info = await contract.getStage(toStage(number), at);
    if (info?.isFinalized === true && info.total === 0n) empty.push(number);
  }
  return { empty, unreadFrom: end <= last ? end : undefined };
}

/** The first stage that L1 will need from a rollup that is registered by a vote. */
export interface FirstStage {
  /** If L1 does not advance before the vote ends. */
  readonly earliest: bigint;
  /** If L1 advances on time until the vote ends. */
  readonly expected: bigint;
  readonly warnings: readonly string[];
}

/**
 * Checks that a contract can serve the first stage that L1 will need. When the vote on a registration executes, L1 sets that
 * stage to the one after its current stage; later stages wait for it, so a contract that starts later is never paid.
 *
 * L1 advances when a stage's end has passed, never before, but VIP's agent may be late. So with L1 at stage s now:
 * - a contract that starts at s + 1 or earlier can always serve the stage, once those before it are finalized;
 * - one that starts later can only if L1 gets to the stage before its first one while the vote is open: refused if that is not
 *   due before the vote ends, otherwise a warning, because it depends on the agent.
 *
 * @param voteEndsAt The latest time at which the vote ends if the proposal is sent now.
 */
export function checkFirstStage(current: VipStage, initStage: Stage, voteEndsAt: Date): FirstStage {
  const { stage: running } = current;
  const earliest = running + 1n;
  const expected = stageDueAt(current, voteEndsAt) + 1n;
  if (initStage <= earliest) return { earliest, expected, warnings: [] };
  const vote = `a vote on a proposal sent now ends by ${formatTime(voteEndsAt)}`;
  if (initStage > expected) {
    throw new VipError(`the contract starts at stage ${initStage}, and L1 would need stage ${expected} at the latest`, {
      code: "FIRST_STAGE_LATE",
      metaMessages: [
        `L1 is at stage ${running}; ${vote}, before stage ${initStage - 1n} is due to start.`,
        `Deploy a contract that starts at stage ${earliest} or earlier, or write the proposal when L1 is at stage ${initStage - 1n}.`,
      ],
    });
  }
  const warning =
    `the contract starts at stage ${initStage}: if L1 is not at stage ${initStage - 1n} when the vote executes, no stage is ` +
    `ever paid. L1 is at stage ${running}, ${vote}, and VIP's agent may be late. A contract that starts at stage ${earliest} is safe.`;
  return { earliest, expected, warnings: [warning] };
}

/**
 * Checks that a new contract can serve the next stage of which L1 needs a snapshot. VIP's agent submits them without gaps, so
 * a contract that starts later is never read.
 */
export function checkReplacementStage(initStage: Stage, next: bigint): void {
  if (initStage <= next) return;
  throw new VipError(`the contract starts at stage ${initStage}, and L1 needs the snapshot of stage ${next} first`, {
    code: "FIRST_STAGE_LATE",
    metaMessages: [
      `Finalize ${next === initStage - 1n ? `stage ${next}` : `the stages ${next} to ${initStage - 1n}`} on the old contract and try again once L1 has the snapshot of stage ${initStage - 1n}.`,
      `Or deploy a contract that starts at stage ${next} or earlier.`,
    ],
  });
}

/** The stage that L1 is due to be at. An overdue stage counts as ending now: the agent may never make up for the time. */
function stageDueAt({ stage, endsAt, time: now, isOverdue, intervalSeconds }: VipStage, time: Date): bigint {
  const late = BigInt(time.getTime() - (isOverdue ? now : endsAt).getTime());
  if (late < 0n) return stage;
  const interval = intervalSeconds * 1000n;
  return stage + 1n + (interval === 0n ? 0n : late / interval);
}
