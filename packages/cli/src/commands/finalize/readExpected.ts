import {
  CheckError,
  readStageTable,
  type ContractIdentity,
  type ScoreContract,
  type ScoreTable,
  type Stage,
  type StageTable,
} from "@vipscore/core";
import { checkNewest } from "@vipscore/core/engine";
import { group } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { stageLine } from "../../output/planText.ts";
import { RefusedReport } from "../../output/reportError.ts";

/** What a stage without a file must hold. */
export interface ExpectedStage {
  readonly stage: Stage;
  /** SHA-256 of its scores in hex; undefined if it is not known yet. */
  readonly expectDigest?: string;
}

/**
 * Returns the scores of a stage that have the expected digest. Without one, shows what the stage holds, so that it can be
 * compared elsewhere before anything is final.
 *
 * @throws CheckError `VERIFY_MISMATCH` for another digest, `STAGE_FINALIZED` if it can no longer change;
 * `CONFIRMATION_MISSING` without one; `STAGE_NOT_FOUND`; NodeError.
 */
export async function readExpected(
  { io, output }: Context,
  contract: ScoreContract,
  { stage, expectDigest }: ExpectedStage,
): Promise<ScoreTable> {
  output.showTransient("reading the chain …");
  const { signal } = io;
  const found = await checkNewest(
    contract,
    async (height) => {
      const read = await readStageTable(contract, stage, { height, signal });
      if (expectDigest !== undefined && read.table.digest() !== expectDigest) throw otherScores(read);
      return read;
    },
    { signal },
  );
  if (expectDigest !== undefined) return found.table;
  output.print(foundText(contract.identity, found));
  throw new RefusedReport(
    `nothing was finalized: compare the sha256 with another endpoint's, then run again with --expect-digest <sha256>`,
    { code: "CONFIRMATION_MISSING", report: foundJson(contract.identity, found) },
  );
}

function otherScores({ info, height, table }: StageTable): CheckError {
  const { stage, isFinalized } = info;
  return new CheckError(`stage ${stage} does not hold the scores of --expect-digest at height ${group(height)}`, {
    code: isFinalized ? "STAGE_FINALIZED" : "VERIFY_MISMATCH",
    metaMessages: [
      `sha256 of the chain ${table.digest()}`,
      isFinalized
        ? "The stage is finalized: its scores can no longer change."
        : "A score was written since. Stop what writes scores, and compare again what the stage holds.",
    ],
  });
}

function foundText(identity: ContractIdentity, { info, height, table }: StageTable): string {
  const { stage, isFinalized, total, revision } = info;
  return [
    `${`stage ${stage}`.padEnd(13)}${stageLine(identity, { isFinalized, total, accounts: table.size, height }, undefined)}`,
    `revision     ${revision === undefined ? "none: a reference contract" : group(revision)}`,
    `sha256       ${table.digest()}`,
  ].join("\n");
}

function foundJson(contract: ContractIdentity, { info, height, table }: StageTable): object {
  const { stage, isFinalized, total, revision = null } = info;
  const found = { isFinalized, height, accounts: table.size, revision, total, sha256: table.digest() };
  return { command: "finalize", stage, contract, found };
}
