import { drawHistogram, drawLorenzCurve } from "../charts.ts";
import { accountsOfHalf, countRanges, lorenzCurve } from "../distribution.ts";
import { count, group, shortBound } from "../formatNumbers.ts";
import { markup, type Markup } from "../markup.ts";
import { countScored, type RankedRow } from "../rankRows.ts";

/** Histogram and Lorenz curve. */
export function distributionSection(ranked: readonly RankedRow[], total: bigint): Markup {
  const ranges = countRanges(ranked);
  if (ranges.length === 0) return markup`<section><h2>Distribution</h2><p>No account has a score.</p></section>`;
  const rows = ranges.map(
    ({ from, to, accounts }) =>
      markup`<tr><td>${group(from)} to ${group(to - 1n)}</td><td>${group(accounts)}</td></tr>`,
  );
  return markup`<section><h2>Distribution</h2>
<div class="charts">
<figure>${drawHistogram(ranges)}<figcaption>Accounts by score, on a log scale from ${shortBound(ranges[0]?.from ?? 0n)}</figcaption></figure>
<figure>${drawLorenzCurve(lorenzCurve(ranked, total))}<figcaption>Lorenz curve; the dashed line is equal scores. ${count(accountsOfHalf(ranked, total), "account")} of ${group(countScored(ranked))} together have half of the total.</figcaption></figure>
</div>
<details><summary>The numbers of the first chart</summary><table><thead><tr><th scope="col">Score</th><th scope="col">Accounts</th></tr></thead><tbody>${rows}</tbody></table></details>
</section>`;
}
