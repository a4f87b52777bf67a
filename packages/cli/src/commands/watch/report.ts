import {
  InputError,
  VerificationError,
  type ContractIdentity,
  type PushPlan,
  type ScoreTable,
  type Stage,
  type Verification,
  type VipError,
} from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import { tableJson } from "../../contract/readTable.ts";
import { sentText, type SentTransaction } from "../../contract/sendPlan.ts";
import { planJson } from "../../output/plan.ts";
import { chainsOwnWords, hintLines, wordedIssue } from "../../output/reportError.ts";
import { verificationJson } from "../../output/verification.ts";

/** The progress of a round; a failed round leaves the later fields undefined. */
export interface RoundProgress {
  table?: ScoreTable;
  plan?: PushPlan;
  readonly transactions: SentTransaction[];
  setbacks: number;
  verification?: Verification;
  /** True once L1 has moved past the stage; undefined without L1. */
  isFinalizeDue?: boolean | undefined;
}

export interface Round {
  /** From 1. */
  readonly number: number;
  readonly at: Date;
  readonly seconds: number;
  readonly progress: RoundProgress;
  readonly error: VipError | undefined;
  /** The file of a stage, or the stage on L1, that does not exist yet, with `--stage auto`. */
  readonly waitingFor: string | undefined;
}

/** The result of a round; `finalized` when someone else has finalized the stage. */
export type Outcome = "ok" | "waiting" | "failed" | "finalized";

export function outcomeOf({ error, waitingFor }: Round): Outcome {
  if (waitingFor !== undefined) return "waiting";
  if (error === undefined) return "ok";
  return error.code === "STAGE_FINALIZED" ? "finalized" : "failed";
}

/** Maximum number of rejected rows and differences per round: a file that stays wrong is reported in every round. */
const maxListed = 20;

export function roundText(round: Round, file: string): string {
  const { number, at, progress, error, waitingFor } = round;
  const { table, transactions, verification } = progress;
  const start = `${at.toISOString().slice(0, 19)}Z  round ${group(number)}`;
  if (waitingFor !== undefined) return `${start}  waiting for ${waitingFor}, which does not exist yet`;
  const written = sentText(transactions);
  if (error !== undefined) {
    const sent = transactions.length === 0 ? "" : ` after ${written}`;
    return `${start} failed${sent}: ${onOneLine(error)} [${error.code}]; retrying at the next interval`;
  }
  const rows = table === undefined ? "" : `  ${file} ${count(table.size, "row")}, total ${group(table.total)}`;
  const height = verification === undefined ? "" : ` at height ${group(verification.height)}`;
  return `${start}${rows}  ${transactions.length === 0 ? "unchanged" : `wrote ${written}, verified`}${height}`;
}

export function roundJson(
  round: Round,
  scope: { readonly stage: Stage; readonly contract: ContractIdentity; readonly file: string },
) {
  const { number, at, seconds, progress, error, waitingFor } = round;
  const { table, plan, transactions, setbacks } = progress;
  const verification = error instanceof VerificationError ? error.verification : progress.verification;
  return {
    command: "watch",
    round: number,
    outcome: outcomeOf(round),
    at,
    seconds,
    stage: scope.stage,
    contract: scope.contract,
    file: table && tableJson(scope.file, table),
    plan: plan && planJson(plan),
    transactions,
    setbacks,
    isFinalizeDue: progress.isFinalizeDue,
    verification:
      verification && verificationJson({ ...verification, differences: verification.differences.slice(0, maxListed) }),
    waitingFor,
    error: error && errorJson(error),
  };
}

function errorJson(error: VipError) {
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
