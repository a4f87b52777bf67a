import { CheckError, type Stage } from "@vipscore/core";
import { formatUtc } from "../vip/formatUtc.ts";
import type { VipStage } from "../vip/vipStage.ts";

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
 * @throws CheckError `FIRST_STAGE_LATE`.
 */
export function checkFirstStage(current: VipStage, initStage: Stage, voteEndsAt: Date): FirstStage {
  const { stage: running } = current;
  const earliest = running + 1n;
  const expected = stageDueAt(current, voteEndsAt) + 1n;
  if (initStage <= earliest) return { earliest, expected, warnings: [] };
  const vote = `a vote on a proposal sent now ends by ${formatUtc(voteEndsAt)}`;
  if (initStage > expected) {
    throw new CheckError(
      `the contract starts at stage ${initStage}, and L1 would need stage ${expected} at the latest`,
      {
        code: "FIRST_STAGE_LATE",
        metaMessages: [
          `L1 is at stage ${running}; ${vote}, before stage ${initStage - 1n} is due to start.`,
          `Deploy a contract that starts at stage ${earliest} or earlier, or write the proposal when L1 is at stage ${initStage - 1n}.`,
        ],
      },
    );
  }
  const warning =
    `the contract starts at stage ${initStage}: if L1 is not at stage ${initStage - 1n} when the vote executes, no stage is ` +
    `ever paid. L1 is at stage ${running}, ${vote}, and VIP's agent may be late. A contract that starts at stage ${earliest} is safe.`;
  return { earliest, expected, warnings: [warning] };
}

/**
 * Checks that a new contract can serve the next stage of which L1 needs a snapshot. VIP's agent submits them without gaps, so
 * a contract that starts later is never read.
 *
 * @param next From `readNextSnapshotStage`.
 * @throws CheckError `FIRST_STAGE_LATE`.
 */
export function checkReplacementStage(initStage: Stage, next: bigint): void {
  if (initStage <= next) return;
  throw new CheckError(`the contract starts at stage ${initStage}, and L1 needs the snapshot of stage ${next} first`, {
    code: "FIRST_STAGE_LATE",
    metaMessages: [
      `Finalize ${next === initStage - 1n ? `stage ${next}` : `the stages ${next} to ${initStage - 1n}`} on the old contract and try again once L1 has the snapshot of stage ${initStage - 1n}.`,
      `Or deploy a contract that starts at stage ${next} or earlier.`,
    ],
  });
}

/** The stage that L1 is due to be at. */
function stageDueAt({ stage, endsAt, intervalSeconds }: VipStage, time: Date): bigint {
  const late = BigInt(time.getTime() - endsAt.getTime());
  if (late < 0n) return stage;
  const interval = intervalSeconds * 1000n;
  return stage + 1n + (interval === 0n ? 0n : late / interval);
}
