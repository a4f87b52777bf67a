import { formatChecksummed, type Account, type Score, type ScoreTable } from "@vipscore/core";
import type { ScoresManifest } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import type { Output } from "../../output/output.ts";
import type { AuditLog } from "./auditLog.ts";
import type { AuditedScores } from "./recompute.ts";

/** An account whose score in the file is not the recomputed one. Without a row, the score is 0. */
export interface AccountDifference {
  readonly account: Account;
  readonly recorded: Score;
  readonly recomputed: Score;
}

/** Accounts that an audit lists. */
export const listedAccounts = 10;

/** Compares the recomputed scores, or those that were computed elsewhere, with the manifest's. */
export function auditScores(
  { scores, excluded }: ScoresManifest,
  { table, excluded: excludedNow }: Pick<AuditedScores, "table" | "excluded">,
  log: AuditLog,
): void {
  const name = "the scores";
  const recomputed = `${count(table.size, "account")}, total ${group(table.total)}`;
  if (table.digest() !== scores.sha256) {
    const then = `${count(scores.accounts, "account")}, total ${group(scores.total)}, sha256 ${shortDigest(scores.sha256)}`;
    log.differs("scores", name, `the manifest has ${then}; now ${recomputed}, sha256 ${shortDigest(table.digest())}`);
  } else if (table.size !== scores.accounts || table.total !== scores.total) {
    const then = `${count(scores.accounts, "account")}, total ${group(scores.total)}`;
    log.differs("scores", name, `the manifest says ${then}, and its scores are ${recomputed}`);
  } else log.same("scores", `${recomputed}, sha256 ${shortDigest(scores.sha256)}`);
  if (excludedNow === undefined || excludedNow.length === excluded) return;
  const now = group(excludedNow.length);
  log.differs("scores", "the exclusions", `the manifest leaves out ${count(excluded, "account")}, the policy ${now}`);
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

/** Prints the first accounts that differ, with both scores and the difference. */
export function printAccounts(output: Output, file: string, differences: readonly AccountDifference[]): void {
  if (differences.length === 0) return;
  output.print(`${count(differences.length, "account")} of ${file} with another score than recomputed:`);
  for (const { account, recorded, recomputed } of differences.slice(0, listedAccounts)) {
    const difference = recorded - recomputed;
    const sign = difference > 0n ? "+" : "";
    output.print(
      `  ${formatChecksummed(account)}  ${group(recorded)}, recomputed ${group(recomputed)} (${sign}${group(difference)})`,
    );
  }
  const more = differences.length - listedAccounts;
  if (more > 0) output.print(`  and ${group(more)} more`);
}
