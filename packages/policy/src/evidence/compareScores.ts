import type { Account, Score, ScoreRow, ScoreTable } from "@vipscore/core";
import type { ScoresManifest } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import type { AuditLog } from "./auditLog.ts";

/** Compares the recomputed scores, or those that were computed elsewhere, with the manifest's. */
export function auditScores(
  { scores, excluded }: ScoresManifest,
  table: ScoreTable,
  excludedNow: readonly ScoreRow[] | undefined,
  log: AuditLog,
): void {
  const name = "the scores";
  const recomputed = `${count(table.size, "account")}, total ${group(table.total)}`;
  const recorded = `${count(scores.accounts, "account")}, total ${group(scores.total)}`;
  if (table.digest() !== scores.sha256) {
    const [then, now] = [scores.sha256, table.digest()].map(shortDigest);
    log.differs("scores", name, `the manifest has ${recorded}, sha256 ${then}; now ${recomputed}, sha256 ${now}`);
  } else if (table.size !== scores.accounts || table.total !== scores.total) {
    log.differs("scores", name, `the manifest says ${recorded}, and its scores are ${recomputed}`);
  } else log.same("scores", `${recomputed}, sha256 ${shortDigest(scores.sha256)}`);
  if (excludedNow === undefined || excludedNow.length === excluded) return;
  const now = group(excludedNow.length);
  log.differs("scores", "the exclusions", `the manifest leaves out ${count(excluded, "account")}, the policy ${now}`);
}

/** An account whose score in the file is not the recomputed one. Without a row, the score is 0. */
export interface AccountDifference {
  readonly account: Account;
  readonly recorded: Score;
  readonly recomputed: Score;
}

/** Lists every account whose score in the file is not the recomputed one, by account. */
export function compareAccounts(file: ScoreTable, recomputed: ScoreTable): readonly AccountDifference[] {
  const differences: AccountDifference[] = [];
  if (file.digest() === recomputed.digest()) return differences;
  for (const account of new Set([...file.keys(), ...recomputed.keys()])) {
    const [recorded, now] = [file.get(account) ?? 0n, recomputed.get(account) ?? 0n];
    if (recorded !== now) differences.push({ account, recorded, recomputed: now });
  }
  return differences.sort((one, other) => (one.account < other.account ? -1 : 1));
}
