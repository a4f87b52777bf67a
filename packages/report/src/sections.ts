import { drawHistogram, drawLorenzCurve } from "./charts.ts";
import type { StageChange } from "./compareStages.ts";
import { accountsOfHalf, countRanges, lorenzCurve } from "./distribution.ts";
import { count, difference, group, percent, shortBound } from "./formatNumbers.ts";
import { markup, type Markup } from "./markup.ts";
import type { RankedRow } from "./rankRows.ts";
import type { ReportInput, ReportPush, ReportSnapshot } from "./reportInput.ts";

/** The title, where the scores are from, and the numbers of the stage. */
export function drawHead(
  { stage, contract, height, isFinalized, total }: ReportInput,
  ranked: readonly RankedRow[],
): Markup {
  const scored = withScore(ranked);
  return markup`<header>
<h1>Stage ${stage}: VIP scores</h1>
<p class="quiet">${isFinalized ? "Finalized" : "Open: scores can still change"} · ${contract.chainId} (${contract.vm}) · contract <code>${contract.address}</code> · height ${group(height)}</p>
<dl class="tiles">${tile("Total", group(total))}${tile("Accounts with a score", group(scored))}${tile("Highest score", group(ranked[0]?.score ?? 0n))}${tile("Top ten have", percent(sumOf(ranked.slice(0, 10)), total))}</dl>
</header>`;
}

/** Histogram and Lorenz curve. */
export function drawDistribution(ranked: readonly RankedRow[], total: bigint): Markup {
  const ranges = countRanges(ranked);
  if (ranges.length === 0) return markup`<section><h2>Distribution</h2><p>No account has a score.</p></section>`;
  const rows = ranges.map(
    ({ from, to, accounts }) =>
      markup`<tr><td>${group(from)} to ${group(to - 1n)}</td><td>${group(accounts)}</td></tr>`,
  );
  return markup`<section><h2>Distribution</h2>
<div class="charts">
<figure>${drawHistogram(ranges)}<figcaption>Accounts by score, on a log scale from ${shortBound(ranges[0]?.from ?? 0n)}</figcaption></figure>
<figure>${drawLorenzCurve(lorenzCurve(ranked, total))}<figcaption>Lorenz curve; the dashed line is equal scores. ${count(accountsOfHalf(ranked, total), "account")} of ${group(withScore(ranked))} together have half of the total.</figcaption></figure>
</div>
<details><summary>The numbers of the first chart</summary><table><thead><tr><th scope="col">Score</th><th scope="col">Accounts</th></tr></thead><tbody>${rows}</tbody></table></details>
</section>
`;
}

/** The change since an earlier stage. */
export function drawChange(change: StageChange, ranked: readonly RankedRow[], total: bigint): Markup {
  const accounts = withScore(ranked);
  return markup`<section><h2>Change since stage ${change.previousStage}</h2>
<dl class="tiles">${tile("Total", difference(total - change.previousTotal))}${tile("Accounts", difference(BigInt(accounts - change.previousAccounts)))}${tile("New", group(change.added))}${tile("No longer scored", group(change.removed))}${tile("Higher", group(change.higher))}${tile("Lower", group(change.lower))}${tile("Unchanged", group(change.unchanged))}</dl>
</section>
`;
}

/** The ten highest scores. */
export function drawTopTen(ranked: readonly RankedRow[], total: bigint): Markup {
  const rows = ranked
    .slice(0, 10)
    .map(
      ({ account, score, rank }) =>
        markup`<tr><td>${group(rank)}</td><td class="address" title="${account}">${account}</td><td>${group(score)}</td><td class="share">${percent(score, total)}</td></tr>`,
    );
  return markup`<section><h2>Top ten</h2>
<table><thead><tr><th scope="col">Rank</th><th scope="col" class="address">Address</th><th scope="col">Score</th><th scope="col" class="share">Share</th></tr></thead><tbody>${rows}</tbody></table>
</section>
`;
}

/** The transactions of the push. */
export function drawPush({ file, sha256, price, transactions, verification }: ReportPush): Markup {
  const rows = transactions.map(
    ({ hash, rows: written, height, gasUsed }) =>
      markup`<tr><td class="address" title="${hash}">${hash}</td><td>${group(written)}</td><td>${group(height)}</td><td class="share">${group(gasUsed)}</td></tr>`,
  );
  const verdict =
    verification === undefined
      ? markup`<p class="bad">The push was not verified.</p>`
      : markup`<p class="${verification.agrees ? "good" : "bad"}">${verification.agrees ? "Verified" : "Differs"} at height ${group(verification.height)}: sha256 of the chain's table <code>${verification.sha256}</code></p>`;
  const table = markup`<table><thead><tr><th scope="col" class="address">Transaction</th><th scope="col">Rows</th><th scope="col">Height</th><th scope="col" class="share">Gas used</th></tr></thead><tbody>${rows}</tbody></table>`;
  return markup`<section><h2>Push</h2>
<p>File <code>${file}</code>, sha256 <code>${sha256}</code>${price === undefined ? "" : `, price ${price}`}</p>
${verdict}
${transactions.length === 0 ? markup`<p>No transactions.</p>` : table}
</section>
`;
}

/** What was checked: the sum of the scores, and the root against L1's. */
export function drawVerification({ total, height, snapshot }: ReportInput): Markup {
  return markup`<section><h2>Verification</h2>
<p class="good">The scores at height ${group(height)} add up to the contract's total, ${group(total)}.</p>
${snapshot === undefined ? markup`<p class="quiet">No snapshot root: the rollup's bridge ID is not known.</p>` : drawRoot(snapshot)}
</section>
`;
}

function drawRoot({ bridgeId, root, l1 }: ReportSnapshot): Markup {
  const look = l1.status === "matches" ? "good" : l1.status === "differs" ? "bad" : "quiet";
  return markup`<p>Snapshot root for bridge ${bridgeId}: <code>${root ?? "none, because no account has a score"}</code></p>
<p class="${look}">L1: ${l1.text}</p>`;
}

function tile(name: string, value: string): Markup {
  return markup`<div class="tile"><dt>${name}</dt><dd>${value}</dd></div>`;
}

function withScore(ranked: readonly RankedRow[]): number {
  return ranked.filter(({ score }) => score > 0n).length;
}

function sumOf(rows: readonly RankedRow[]): bigint {
  return rows.reduce((sum, { score }) => sum + score, 0n);
}
