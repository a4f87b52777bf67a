import { NodeError } from "@vipscore/core";
import type { TokenPlace, UnreadableToken } from "@vipscore/indexer-client/holders";
import type { Command } from "commander";
import { count, group } from "../output/numbers.ts";
import type { Output } from "../output/output.ts";
import { printableText } from "../output/printableText.ts";

/** Rows that are named for people; `--json` has all. */
const rowsShown = 5;

/** What to do with rows that the indexer cannot serve. */
export interface UnreadableFlags {
  readonly skipUnreadable?: boolean;
}

/** Adds the option that leaves unreadable rows out. */
export function withUnreadableOption(command: Command): Command {
  return command.option("--skip-unreadable", "skip rows that the indexer cannot serve instead of failing");
}

/**
 * Warns of rows that were left out.
 *
 * @param rows Each in words.
 * @throws NodeError `INDEXER_UNREADABLE` unless they may be left out.
 */
export function settleUnreadable(output: Output, rows: readonly string[], { skipUnreadable }: UnreadableFlags): void {
  if (rows.length === 0) return;
  const left = rows.length - rowsShown;
  const shown = [...rows.slice(0, rowsShown), ...(left > 0 ? [`and ${group(left)} more`] : [])];
  const what = `the NFT indexer cannot serve ${count(rows.length, "row")}`;
  if (skipUnreadable !== true) {
    throw new NodeError(`${what}: ${shown.join("; ")}`, {
      code: "INDEXER_UNREADABLE",
      metaMessages: ["Ask another indexer with --indexer-url, or leave the rows out with --skip-unreadable."],
    });
  }
  output.warn(`${what}, left out:`);
  for (const row of shown) output.note(`  ${row}`);
}

/** An unreadable token in words: its id, or its neighbors where only they are known. */
export function describeUnreadable({ tokenId, after, before }: UnreadableToken): string {
  const name = tokenId === null ? "a token" : `token ${printableText(tokenId)}`;
  const neighbors = [nameOf("after", after), nameOf("before", before)].filter((text) => text !== "").join(" and ");
  return neighbors === "" ? name : `${name}, ${neighbors}`;
}

function nameOf(side: string, place: TokenPlace | null): string {
  if (place === null) return "";
  return `${side} ${printableText(place.tokenId.slice(0, 80))} (height ${group(place.height)})`;
}

/** An unreadable token in `--json`. */
export function unreadableJson({ tokenId, after, before }: UnreadableToken): object {
  return { tokenId, after, before };
}
