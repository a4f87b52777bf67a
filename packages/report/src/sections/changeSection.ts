import { group } from "@vipscore/core/values";
import type { Mover, StageChange } from "../compareStages.ts";
import { difference } from "../formatNumbers.ts";
import { markup, tiles, type Markup } from "../markup.ts";
import { countScored } from "../rankRows.ts";
import type { RankedRow } from "../scoreColumns.ts";

/** The change since an earlier stage: its numbers, and the accounts that changed the most. */
export function changeSection(change: StageChange, ranked: readonly RankedRow[], total: bigint): Markup {
  const { previousStage, previousTotal, previousAccounts, added, removed, higher, lower, unchanged, movers } = change;
  const table = markup`<h3>Largest changes</h3>
<table><thead><tr><th scope="col" class="address">Address</th><th scope="col" class="minor">Stage ${previousStage}</th><th scope="col" class="minor">Score</th><th scope="col">Change</th></tr></thead><tbody>${movers.map(moverRow)}</tbody></table>`;
  return markup`<section><h2>Change since stage ${previousStage}</h2>
${tiles([
  ["Total", difference(total - previousTotal)],
  ["Accounts with a score", difference(BigInt(countScored(ranked) - previousAccounts))],
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
  return markup`<tr><td class="address">${account}</td><td class="minor">${group(before)}</td><td class="minor">${group(after)}</td><td>${difference(after - before)} <span class="tag quiet">${what}</span></td></tr>`;
}
