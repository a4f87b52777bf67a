import { formatChecksummed } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import type { AccountDifference, AuditFinding } from "@vipscore/policy";
import type { Output, Style } from "../../output/output.ts";

const styles: Readonly<Record<AuditFinding["status"], Style>> = {
  same: "green",
  differs: "red",
  warning: "yellow",
  "not checked": "yellow",
};
const widths = { subject: 11, status: 13 } as const;

export const listedAccounts = 10;

export function printFinding(output: Output, { subject, status, text }: AuditFinding): void {
  const shown = output.paint(styles[status], status);
  output.print(`${subject.padEnd(widths.subject)}${shown}${" ".repeat(widths.status - status.length)}${text}`);
}

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
