import { listLastStages, type PinnedOptions, type ScoreContract } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import { checkFirstStage, checkReplacementStage, readNextSnapshotStage, type VipBridge } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import type { L1Connection } from "../../l1/l1Connection.ts";
import { findEmptyStages } from "./findEmptyStages.ts";

/**
 * Checks that L1 can pay the first stage that it will need of a rollup that is registered by a vote, and warns of stages that
 * are empty or must be finalized before.
 *
 * @param voteEndsAt The latest time at which the vote ends if the proposal is sent now.
 * @throws CheckError `FIRST_STAGE_LATE`; NodeError.
 */
export async function checkNewStages(
  context: Context,
  { current }: L1Connection,
  contract: ScoreContract,
  voteEndsAt: Date,
): Promise<void> {
  const at = await pin(context, contract);
  const initStage = await contract.getInitStage(at);
  const { earliest, expected, warnings } = checkFirstStage(current, initStage, voteEndsAt);
  for (const warning of warnings) context.output.warn(warning);
  await warnOfEmptyStages(context, contract, at, { paidFrom: earliest, expected });
}

/**
 * Checks that a replacement has the next stage that L1 needs of the rollup; see {@link checkNewStages}.
 *
 * @throws CheckError `FIRST_STAGE_LATE`; NodeError.
 */
export async function checkReplacementStages(
  context: Context,
  { options }: L1Connection,
  contract: ScoreContract,
  bridge: VipBridge,
): Promise<void> {
  const at = await pin(context, contract);
  const { bridgeId, version, initStage } = bridge;
  const next = await readNextSnapshotStage({ ...options, bridgeId, version, initStage });
  checkReplacementStage(await contract.getInitStage(at), next);
  await warnOfEmptyStages(context, contract, at, { paidFrom: next, expected: next });
}

/** The first stage that L1 may pay by this contract, and the one that it is due to pay first. */
interface FirstPaid {
  readonly paidFrom: bigint;
  readonly expected: bigint;
}

async function warnOfEmptyStages(
  { output }: Context,
  contract: ScoreContract,
  at: PinnedOptions,
  { paidFrom, expected }: FirstPaid,
): Promise<void> {
  const [newest] = await listLastStages(contract, { ...at, first: await contract.getInitStage(at), limit: 1 });
  if (newest === undefined) return;
  if (newest.stage < expected) {
    output.warn(
      `the first stage that L1 pays by this contract is due to be stage ${expected}, and stage ${newest.stage} is open: ` +
        `finalize ${count(expected - newest.stage, "stage")} without scores before it`,
    );
  }
  const { empty, unreadFrom } = await findEmptyStages(contract, { first: paidFrom, last: newest.stage }, at);
  if (empty.length > 0) {
    output.warn(
      `finalized without scores in the contract: stage ${empty.join(", ")}. L1 would take it as it is, and pay nobody for it.`,
    );
  }
  if (unreadFrom !== undefined) {
    output.warn(`whether the stages ${unreadFrom} to ${newest.stage} have scores was not checked`);
  }
}

async function pin({ io: { signal } }: Context, contract: ScoreContract): Promise<PinnedOptions> {
  return { height: await contract.getHeight({ signal }), signal };
}
