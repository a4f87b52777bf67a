import type { FinalizeResult, Stage, Verification } from "@vipscore/core";
import { group } from "@vipscore/core/values";
import { l1StageJson } from "../../l1/l1Stage.ts";
import type { Output } from "../../output/output.ts";
import { stageLine } from "../../output/planText.ts";
import { verificationJson } from "../../output/verificationJson.ts";
import type { PreparedFinalize } from "./prepare.ts";

/** Returns what will be finalized, for the person who confirms it. */
export function summaryText({ contract, file = "expected", l1 }: PreparedFinalize, verification: Verification): string {
  const { stage, total, accounts, digest, height, isFinalized } = verification;
  const width = Math.max(file.length, `stage ${stage}`.length, "chain".length) + 2;
  return [
    `${`stage ${stage}`.padEnd(width)}${stageLine(contract.identity, { isFinalized, total: total.contract, accounts, height }, l1)}`,
    `${file.padEnd(width)}sha256 ${digest.expected}`,
    `${"chain".padEnd(width)}sha256 ${digest.actual}`,
  ].join("\n");
}

/** Returns the result if there is nothing to do. */
export function alreadyText({ stage, file }: PreparedFinalize, { height }: Verification): string {
  return `stage ${stage} is already finalized and holds exactly ${file ?? "the expected scores"}, read at height ${group(height)}`;
}

/** Returns the result of a sent transaction. */
export function finalizedText(
  output: Output,
  stage: Stage,
  { height, hash }: NonNullable<FinalizeResult["transaction"]>,
): string {
  return `${output.paint("green", "finalized")} stage ${stage} in block ${group(height)}   (transaction ${hash})`;
}

/** Returns the report for `--json`. */
export function finalizeJson(
  { contract, second, stage, file, table, l1 }: PreparedFinalize,
  transaction: FinalizeResult["transaction"],
  verification: Verification,
): object {
  return {
    command: "finalize",
    stage,
    contract: contract.identity,
    file: file === undefined ? null : { name: file, rows: table.size, total: table.total, sha256: table.digest() },
    l1: l1StageJson(l1),
    transaction: transaction ?? null,
    verification: verificationJson(verification),
    comparedWithSecond: second !== undefined,
  };
}
