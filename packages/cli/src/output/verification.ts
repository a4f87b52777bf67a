import type { Score, Verification } from "@vipscore/core";
import { count, group, shortDigest } from "@vipscore/core/values";
import type { Output } from "./output.ts";
import { formatTable } from "./table.ts";

/** Returns the line that confirms that the chain holds exactly the file. */
export function agreementLine(output: Output, found: Verification, file: string): string {
  const accounts = count(found.accounts, "account");
  const digest = shortDigest(found.digest.actual);
  const text = `${accounts} and the total agree with ${file} at height ${group(found.height)} (sha256 of the chain's table ${digest})`;
  return `${output.paint("green", "verified")}  ${text}`;
}

/** Maximum number of differences shown to people; `--json` has all. */
const maxShown = 20;

export function printDifferences(output: Output, { differences }: Verification): void {
  if (differences.length === 0) return;
  const text = (score: Score | undefined): string => (score === undefined ? "-" : group(score));
  const rows = differences
    .slice(0, maxShown)
    .map(({ account, expected, actual }) => [account, text(expected), text(actual)]);
  output.note(formatTable([["account", "file", "chain"], ...rows], { align: "lrr" }).join("\n"));
  const left = differences.length - maxShown;
  if (left > 0) output.note(`and ${count(left, "more account", "more accounts")}; --json lists all`);
}

/** Returns a verification for `--json`: u64 values and heights as decimal text; the revision is null without one. */
export function verificationJson(found: Verification) {
  const { agrees, isFinalized, height, accounts, revision, total, digest } = found;
  return {
    agrees,
    isFinalized,
    height,
    accounts,
    revision,
    total: { file: total.expected, contract: total.contract, rows: total.rows },
    sha256: { file: digest.expected, chain: digest.actual },
    differences: found.differences.map(({ account, expected, actual }) => ({ account, file: expected, chain: actual })),
  };
}
