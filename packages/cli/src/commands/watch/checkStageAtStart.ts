import type { ScoreContract, Stage } from "@vipscore/core";
import { checkMember, checkNewest, checkOpen, requirePacked, stageNotFound } from "@vipscore/core/engine";

/**
 * Checks that the signer can write the stage, so that a mistake ends a watch immediately instead of failing in every round.
 *
 * @throws CheckError `STAGE_NOT_FOUND`, `STAGE_FINALIZED`, `PERMISSION_DENIED`, `NOT_SUPPORTED`; NodeError.
 */
export async function checkStageAtStart(
  contract: ScoreContract,
  { stage, packed = false }: { readonly stage: Stage; readonly packed?: boolean },
  signal: AbortSignal,
): Promise<void> {
  if (packed) requirePacked(contract);
  const check = async (height: bigint): Promise<void> => {
    const info = await contract.getStage(stage, { height, signal });
    if (info === undefined) throw await stageNotFound(contract, stage, { height, signal });
    checkOpen(info);
    await checkMember(contract, { height, signal });
  };
  await checkNewest(contract, check, { signal });
}
