import { group } from "@vipscore/core/values";
import { markup, tiles, type Markup } from "../markup.ts";
import { countScored, readRow } from "../rankRows.ts";
import type { ReportInput, ReportRow } from "../reportInput.ts";
import type { RankedRow } from "../scoreColumns.ts";

/** The change since an earlier stage: its numbers, and the accounts that changed the most. */
export function changeSection(
  previous: NonNullable<ReportInput["previous"]>,
  ranked: readonly RankedRow[],
  total: bigint,
): Markup {
  const { previousTotal, previousAccounts, movers, ...counts } = compareStages(ranked, previous.rows);
  const { added, removed, higher, lower, unchanged } = counts;
  const table = markup`<h3>Largest changes</h3>
<table><thead><tr><th scope="col" class="address">Address</th><th scope="col" class="minor">Stage ${previous.stage}</th><th scope="col" class="minor">Score</th><th scope="col">Change</th></tr></thead><tbody>${movers.map(moverRow)}</tbody></table>`;
  return markup`<section><h2>Change since stage ${previous.stage}</h2>
${tiles([
  ["Total", formatDifference(total - previousTotal)],
  ["Accounts with a score", formatDifference(BigInt(countScored(ranked) - previousAccounts))],
  ["New", group(added)],
  ["No longer scored", group(removed)],
  ["Higher", group(higher)],
  ["Lower", group(lower)],
  ["Unchanged", group(unchanged)],
])}
${movers.length === 0 ? markup`<p>Every score is the same.</p>` : table}
</section>`;
}

function moverRow({ account, before, after }: Mover): Markup {
  const what = before === 0n ? "new" : after === 0n ? "gone" : "";
  return markup`<tr><td class="address">${account}</td><td class="minor">${group(before)}</td><td class="minor">${group(after)}</td><td>${formatDifference(after - before)} <span class="tag quiet">${what}</span></td></tr>`;
}

/** Differences of a stage's scores from an earlier one's. An account counts in a stage if its score is above 0. */
interface StageChange {
  readonly previousTotal: bigint;
  readonly previousAccounts: number;
  readonly added: number;
  readonly removed: number;
  readonly higher: number;
  readonly lower: number;
  readonly unchanged: number;
  /** The accounts whose score changed the most, in either direction; the largest change first. */
  readonly movers: readonly Mover[];
}

/** One account's change. */
interface Mover {
  readonly account: string;
  /** 0 if the account is new. */
  readonly before: bigint;
  /** 0 if the account no longer has a score. */
  readonly after: bigint;
}

/** Movers that a report lists. */
const maxMovers = 10;

/**
 * Compares the rows of two stages.
 *
 * @throws InputError `INPUT_INVALID` for an account or score of the earlier stage that cannot be.
 */
export function compareStages(ranked: readonly RankedRow[], previous: Iterable<ReportRow>): StageChange {
  const before = new Map<string, bigint>();
  let previousTotal = 0n;
  for (const row of previous) {
    const { account, score } = readRow(row);
    if (score > 0n) before.set(account, score);
    previousTotal += score;
  }
  const previousAccounts = before.size;
  const counts = { added: 0, higher: 0, lower: 0, unchanged: 0 };
  const movers: Mover[] = [];
  for (const { account, score: after } of ranked) {
    if (after === 0n) continue;
    const score = before.get(account) ?? 0n;
    before.delete(account);
    counts[classifyChange(score, after)] += 1;
    if (score !== after) movers.push({ account, before: score, after });
  }
  // What is left in the map has no score any more.
  for (const [account, score] of before) movers.push({ account, before: score, after: 0n });
  return {
    previousTotal,
    previousAccounts,
    removed: before.size,
    ...counts,
    movers: movers.sort(largestFirst).slice(0, maxMovers),
  };
}

function classifyChange(before: bigint, after: bigint): "added" | "higher" | "lower" | "unchanged" {
  if (before === 0n) return "added";
  if (before === after) return "unchanged";
  return after > before ? "higher" : "lower";
}

function largestFirst(one: Mover, other: Mover): number {
  const [first, second] = [sizeOf(one), sizeOf(other)];
  if (first !== second) return first > second ? -1 : 1;
  return one.account < other.account ? -1 : 1;
}

function sizeOf({ before, after }: Mover): bigint {
  return after > before ? after - before : before - after;
}

/** Formats a difference with its sign: `+1,200`, `−3`, `0`. */
function formatDifference(value: bigint): string {
  if (value === 0n) return "0";
  return value > 0n ? `+${group(value)}` : `−${group(-value)}`;
}
