import { formatChecksummed, type ScoreRow } from "@vipscore/core";

/** One row of a score table as JSON output has it. */
export function rowJson({ account, score }: ScoreRow): object {
  return { address: formatChecksummed(account), score };
}
