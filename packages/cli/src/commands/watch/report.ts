import { InputError, VerificationError, type ContractIdentity, type Stage, type VipError } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import { hintLines, wordedIssue } from "../../output/hintLines.ts";
import { planJson } from "../../output/planJson.ts";
import { chainsOwnWords } from "../../output/reportError.ts";
import { verificationJson } from "../../output/verificationJson.ts";
import { outcomeOf, rowsWritten, type Round } from "./round.ts";

/** Maximum number of rejected rows and differences per round: a file that stays wrong is reported in every round. */
const maxListed = 20;

/** Returns a round on one line, for people. */
export function roundText(round: Round, name: string): string {
  const { number, at, progress, error } = round;
  const { table, transactions, verification } = progress;
  const start = `${at.toISOString().slice(0, 19)}Z  round ${group(number)}`;
  const written = `${count(rowsWritten(progress), "row")} in ${count(transactions.length, "transaction")}`;
  if (error !== undefined) {
    const sent = transactions.length === 0 ? "" : ` after ${written}`;
    return `${start} failed${sent}: ${onOneLine(error)} [${error.code}]; retrying at the next interval`;
  }
  const rows = table === undefined ? "" : `  ${name} ${count(table.size, "row")}, total ${group(table.total)}`;
  const height = verification === undefined ? "" : ` at height ${group(verification.height)}`;
  return `${start}${rows}  ${transactions.length === 0 ? "unchanged" : `wrote ${written}, verified`}${height}`;
}

/** Returns the object of a round for `--json`. */
export function roundJson(
  round: Round,
  scope: { readonly stage: Stage; readonly contract: ContractIdentity; readonly name: string },
): object {
  const { number, at, seconds, progress, error } = round;
  const { table, plan, transactions, setbacks } = progress;
  const verification = error instanceof VerificationError ? error.verification : progress.verification;
  return {
    command: "watch",
    round: number,
    outcome: outcomeOf(round),
    at: at.toISOString(),
    seconds,
    stage: scope.stage,
    contract: scope.contract,
    file:
      table === undefined ? null : { name: scope.name, rows: table.size, total: table.total, sha256: table.digest() },
    plan: plan === undefined ? null : planJson(plan),
    transactions,
    setbacks,
    verification:
      verification === undefined
        ? null
        : verificationJson({ ...verification, differences: verification.differences.slice(0, maxListed) }),
    error: error === undefined ? null : errorJson(error),
  };
}

function errorJson(error: VipError): object {
  const issues = error instanceof InputError ? error.issues.slice(0, maxListed).map(wordedIssue) : [];
  const hints = [...hintLines(error), ...chainsOwnWords(error)];
  return { code: error.code, message: error.shortMessage, hints, ...(issues.length > 0 ? { issues } : {}) };
}

/** Returns the error with the first rejected row or the node's message. */
function onOneLine(error: VipError): string {
  const [first] = error instanceof InputError ? error.issues.map(wordedIssue) : [];
  const parts = [error.shortMessage, ...chainsOwnWords(error)];
  if (first !== undefined && !error.shortMessage.includes(first.message)) {
    parts.push(first.row === undefined ? first.message : `row ${first.row}: ${first.message}`);
  }
  return parts.join("; ").replace(/\s+/g, " ");
}
