import { NodeError } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import type { BadRow } from "@vipscore/indexer-client";
import type { Output } from "../output/output.ts";
import type { UnreadableFlags } from "./indexerOptions.ts";

/** Maximum number of rows listed for people; `--json` has all. */
const rowsShown = 5;

/**
 * Warns of skipped rows.
 *
 * @throws NodeError `INDEXER_UNREADABLE` unless they may be skipped.
 */
export function settleUnreadable(output: Output, rows: readonly BadRow[], { skipUnreadable }: UnreadableFlags): void {
  if (rows.length === 0) return;
  const left = rows.length - rowsShown;
  const named = rows.slice(0, rowsShown).map(({ offset }) => `row ${group(offset + 1)} of the listing`);
  const shown = [...named, ...(left > 0 ? [`and ${group(left)} more`] : [])];
  const what = `the NFT indexer cannot serve ${count(rows.length, "row")}`;
  if (skipUnreadable !== true) {
    throw new NodeError(`${what}: ${shown.join("; ")}`, {
      code: "INDEXER_UNREADABLE",
      metaMessages: ["Use another indexer with --indexer-url, or skip the rows with --skip-unreadable."],
    });
  }
  output.warn(`${what}, skipped:`);
  for (const row of shown) output.note(`  ${row}`);
}

/** Returns the rows for `--json`, counted from 1. */
export function unreadableJson(rows: readonly BadRow[]): readonly object[] {
  return rows.map(({ offset }) => ({ row: offset + 1 }));
}
