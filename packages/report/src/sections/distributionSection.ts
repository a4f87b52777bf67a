import { count, group } from "@vipscore/core/values";
import { drawHistogram, drawLorenzCurve } from "../charts.ts";
import { accountsOfHalf, countRanges, lorenzCurve, type LorenzPoint, type ScoreRange } from "../distribution.ts";
import { markup, type Markup } from "../markup.ts";
import { countScored } from "../rankRows.ts";
import type { RankedRow } from "../scoreColumns.ts";

/** Histogram and Lorenz curve, with the numbers of both. */
export function distributionSection(ranked: readonly RankedRow[], total: bigint): Markup {
  const ranges = countRanges(ranked);
  if (ranges.length === 0) return markup`<section><h2>Distribution</h2><p>No account has a score.</p></section>`;
  const points = lorenzCurve(ranked, total);
  return markup`<section><h2>Distribution</h2>
<div class="charts">
<figure>${drawHistogram(ranges)}<figcaption>Accounts by score, on a log scale</figcaption>${rangeNumbers(ranges)}</figure>
<figure>${drawLorenzCurve(points)}<figcaption>Lorenz curve; the dashed line is equal scores. ${count(accountsOfHalf(ranked, total), "account")} of ${group(countScored(ranked))} together have half of the total.</figcaption>${lorenzNumbers(points)}</figure>
</div>
</section>`;
}

function rangeNumbers(ranges: readonly ScoreRange[]): Markup {
  const rows = ranges.map(
    ({ from, to, accounts }) =>
      markup`<tr><td>${group(from)} to ${group(to - 1n)}</td><td>${group(accounts)}</td></tr>`,
  );
  return markup`<details><summary>Accounts by score as numbers</summary><table><thead><tr><th scope="col">Score</th><th scope="col">Accounts</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}

function lorenzNumbers(points: readonly LorenzPoint[]): Markup {
  const last = points.length - 1;
  const every = Math.ceil(last / 10);
  const rows = points
    .filter((_, index) => index > 0 && (index % every === 0 || index === last))
    .map(
      ({ accounts, score }) =>
        markup`<tr><td>${(100 * accounts).toFixed(1)} %</td><td>${(100 * score).toFixed(2)} %</td></tr>`,
    );
  return markup`<details><summary>Lorenz curve as numbers</summary><table><thead><tr><th scope="col">Lowest accounts</th><th scope="col">Share of the total</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}
