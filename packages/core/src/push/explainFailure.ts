import { CheckError } from "../errors/checkError.ts";
import { ExecutionError } from "../errors/executionError.ts";
import type { VipError } from "../errors/vipError.ts";
import type { ContractCall, ScoreContract, StageInfo } from "../scoreContract.ts";
import { checkManager, checkMember, checkOpen } from "./checkWritable.ts";
import { stageNotFound } from "./readStage.ts";
import type { Included } from "./waitForOutcome.ts";

/**
 * Finds out by reading state why a call does not go through; nodes such as minievm give no reason.
 *
 * @returns the reason, or undefined when the state gives none.
 */
export async function findRefusal(
  contract: ScoreContract,
  call: ContractCall,
  options: { readonly signal?: AbortSignal } = {},
): Promise<VipError | undefined> {
  try {
    if ("stage" in call) {
      const info = await contract.getStage(call.stage, options);
      if (info === undefined) return await stageNotFound(contract, call.stage, options);
      checkOpen(info);
      if (call.kind === "finalizeStage") checkExpected(call, info);
      await checkMember(contract, options);
    } else await checkManager(contract, options);
    return undefined;
  } catch (error) {
    if (error instanceof CheckError) return error;
    throw error;
  }
}

/** The error for a transaction that failed in its block, with the reason that the chain's answer or its state gives. */
export async function explainFailure(
  contract: ScoreContract,
  call: ContractCall,
  failed: Included & { readonly hash: string },
  options: { readonly signal?: AbortSignal } = {},
): Promise<VipError> {
  const reason = await findRefusal(contract, call, options);
  return new ExecutionError(reason?.shortMessage ?? `transaction ${failed.hash} failed in block ${failed.height}`, {
    code: reason?.code ?? failed.code ?? "TRANSACTION_FAILED",
    txHash: failed.hash,
    metaMessages: [...(reason?.metaMessages ?? []), `Transaction ${failed.hash}, gas used ${failed.gasUsed}.`],
    ...(failed.details === undefined ? {} : { details: failed.details }),
  });
}

/** @throws CheckError `FINALIZE_MISMATCH` when the stage is not what the checked finalize expected. */
function checkExpected(call: ContractCall & { kind: "finalizeStage" }, info: StageInfo): void {
  const { expected } = call;
  if (expected === undefined || (expected.total === info.total && expected.count === info.count)) return;
  throw new CheckError(
    `stage ${call.stage} changed before it was finalized: expected total ${expected.total} of ${expected.count} accounts,` +
      ` the contract has ${info.total} of ${info.count ?? "unknown"}. It is still open.`,
    { code: "FINALIZE_MISMATCH", metaMessages: ["Push the file again, then finalize."] },
  );
}
