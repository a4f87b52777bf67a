import { NodeError } from "@vipscore/core";
import type { TokenPlace, UnreadableToken } from "@vipscore/indexer-client/holders";
import { count, group } from "../output/numbers.ts";
import type { Output } from "../output/output.ts";
import { printableText } from "../output/printableText.ts";
import type { UnreadableFlags } from "./indexerOptions.ts";

/** Maximum number of rows listed for people; `--json` has all. */
const rowsShown = 5;

/**
 * Warns of skipped rows.
 *
 * @param rows Descriptions of the rows.
 * @throws NodeError `INDEXER_UNREADABLE` unless they may be skipped.
 */
export function settleUnreadable(output: Output, rows: readonly string[], { skipUnreadable }: UnreadableFlags): void {
  if (rows.length === 0) return;
  const left = rows.length - rowsShown;
  const shown = [...rows.slice(0, rowsShown), ...(left > 0 ? [`and ${group(left)} more`] : [])];
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

/** Describes an unreadable token by its ID, or by its neighbors if only they are known. */
export function describeUnreadable({ tokenId, after, before }: UnreadableToken): string {
  const name = tokenId === null ? "a token" : `token ${printableText(tokenId)}`;
  const neighbors = [nameOf("after", after), nameOf("before", before)].filter((text) => text !== "").join(" and ");
  return neighbors === "" ? name : `${name}, ${neighbors}`;
}

function nameOf(side: string, place: TokenPlace | null): string {
  if (place === null) return "";
  return `${side} ${printableText(place.tokenId.slice(0, 80))} (height ${group(place.height)})`;
}

/** Returns an unreadable token for `--json`. */
export function unreadableJson({ tokenId, after, before }: UnreadableToken): object {
  return { tokenId, after, before };
}
