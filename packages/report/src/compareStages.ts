import type { ReportRow } from "./reportInput.ts";

/** How the scores of a stage differ from an earlier one's. An account counts in a stage if its score is above 0. */
export interface StageChange {
  readonly previousStage: bigint;
  readonly previousTotal: bigint;
  readonly previousAccounts: number;
  readonly added: number;
  readonly removed: number;
  readonly higher: number;
  readonly lower: number;
  readonly unchanged: number;
}

/** Compares the rows of two stages. */
export function compareStages(
  rows: readonly ReportRow[],
  previous: { readonly stage: bigint; readonly rows: Iterable<ReportRow> },
): StageChange {
  const before = new Map<string, bigint>();
  let previousTotal = 0n;
  for (const { account, score } of previous.rows) {
    if (score > 0n) before.set(account.toLowerCase(), score);
    previousTotal += score;
  }
  const counts = { added: 0, higher: 0, lower: 0, unchanged: 0 };
  for (const { account, score } of rows) if (score > 0n) counts[changeOf(before.get(account), score)] += 1;
  const { added, higher, lower, unchanged } = counts;
  return {
    previousStage: previous.stage,
    previousTotal,
    previousAccounts: before.size,
    removed: before.size - higher - lower - unchanged,
    added,
    higher,
    lower,
    unchanged,
  };
}

function changeOf(before: bigint | undefined, score: bigint): "added" | "higher" | "lower" | "unchanged" {
  if (before === undefined) return "added";
  if (before === score) return "unchanged";
  return score > before ? "higher" : "lower";
}
