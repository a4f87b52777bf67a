import { CheckError } from "../errors/vipError.ts";
import type { ReadOptions } from "../readOptions.ts";
import type { ContractCall, ScoreContract, StageInfo } from "../scoreContract.ts";
import { checkFinalizer, checkManager, checkOffered, checkOwner } from "./checkControl.ts";
import { checkMember, checkOpen } from "./checkWritable.ts";
import { stageNotFound } from "./readStage.ts";

/**
 * Reads state and refuses a call that the contract would refuse in a block for a fee.
 *
 * @throws CheckError `PERMISSION_DENIED`, `NOT_SUPPORTED`, `STAGE_NOT_FOUND`, `STAGE_FINALIZED`, `FINALIZE_MISMATCH`; NodeError.
 */
export async function checkCall(contract: ScoreContract, call: ContractCall, options: ReadOptions = {}): Promise<void> {
  switch (call.kind) {
    case "updateScores":
      await requireOpen(contract, call, options);
      return checkMember(contract, options);
    case "finalizeStage":
      checkExpected(call, await requireOpen(contract, call, options));
      return checkFinalizer(contract, options);
    case "addMember":
    case "removeMember":
      return checkManager(contract, options);
    case "setMembers":
    case "setFinalizer":
    case "setManagement":
    case "offerOwnership":
      return checkOwner(contract, options);
    case "acceptOwnership":
      return checkOffered(contract, options);
  }
}

async function requireOpen(
  contract: ScoreContract,
  { stage }: ContractCall & { kind: "updateScores" | "finalizeStage" },
  options: ReadOptions,
): Promise<StageInfo> {
  const info = await contract.getStage(stage, options);
  if (info === undefined) throw await stageNotFound(contract, stage, options);
  checkOpen(info);
  return info;
}

/** @throws CheckError `FINALIZE_MISMATCH` when the stage is not what the checked finalize expected. */
function checkExpected(call: ContractCall & { kind: "finalizeStage" }, info: StageInfo): void {
  const { expected } = call;
  if (expected === undefined) return;
  const { total, count, revision } = expected;
  const changed = total !== info.total || count !== info.count;
  if (!changed && revision === info.revision) return;
  const found = changed
    ? `expected a total of ${total} in ${count} accounts, the contract has ${info.total} in ${info.count ?? "unknown"}.`
    : `its total and number of accounts are as expected, but scores were written: its revision is ${info.revision ?? "unknown"}, not ${revision}.`;
  throw new CheckError(
    `scores of stage ${call.stage} changed between the check and the block of the finalize: ${found} It is still open.`,
    {
      code: "FINALIZE_MISMATCH",
      metaMessages: ["Find out which other member writes scores. Push the file again, then finalize."],
    },
  );
}
