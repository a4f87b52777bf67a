import { group } from "@vipscore/core/values";
import { markup, tiles, type Markup } from "../markup.ts";
import { countScored } from "../rankRows.ts";
import type { ReportInput } from "../reportInput.ts";
import { percent, scoreColumns, type RankedRow } from "../scoreColumns.ts";

/** The title, where the scores are from, and the numbers of the stage. */
export function headSection(
  { stage, contract, height, isFinalized, total }: ReportInput,
  ranked: readonly RankedRow[],
): Markup {
  const ofTen = ranked.slice(0, 10).reduce((sum, { score }) => sum + score, 0n);
  return markup`<header>
<h1>Stage ${stage}: VIP scores</h1>
<p class="quiet">${isFinalized ? "Finalized" : "Open: scores can still change"} · ${contract.chainId} (${contract.vm}) · contract <code>${contract.address}</code> · height ${group(height)}</p>
${tiles([
  ["Total", group(total)],
  ["Accounts with a score", group(countScored(ranked))],
  ["Highest score", group(ranked[0]?.score ?? 0n)],
  ["Top ten have", percent(ofTen, total)],
])}
</header>`;
}

/** The search for an account. */
export function findSection(hasProofs: boolean): Markup {
  const what = hasProofs ? "rank, share and proof" : "rank and share";
  return markup`<section id="find" aria-labelledby="find-title">
<h2 id="find-title">Find your score</h2>
<form id="search"><label for="address">Enter an address (0x… or init1…) to see its ${what}</label>
<input id="address" autocomplete="off" autocapitalize="none" spellcheck="false" required><button>Find</button></form>
<div id="result" role="status"></div>
<noscript>Searching needs JavaScript.</noscript>
</section>`;
}

/** The ten highest scores. */
export function topSection(ranked: readonly RankedRow[], total: bigint): Markup {
  const scored = countScored(ranked);
  const rows = ranked.slice(0, Math.min(10, scored)).map((row) => {
    const cells = scoreColumns.map(
      ({ look, text }) => markup`<td${classOf(look)}>${text(row, { total, scored })}</td>`,
    );
    return markup`<tr>${cells}</tr>`;
  });
  return markup`<section><h2>Top ten</h2>
${rows.length === 0 ? markup`<p>No account has a score.</p>` : markup`<table>${scoreHead}<tbody>${rows}</tbody></table>`}
</section>`;
}

/** The list of all accounts, which the page's script fills. */
export function listSection(rows: number): Markup {
  return markup`<section id="all">
<h2 id="all-title">All accounts</h2>
<div id="list" tabindex="0" role="region" aria-labelledby="all-title"><div id="height">
<table id="table" aria-rowcount="${rows + 1}">${scoreHead}<tbody id="shown"></tbody></table>
</div></div>
</section>`;
}

const titles = scoreColumns.map(({ look, title }) => markup`<th scope="col"${classOf(look)}>${title}</th>`);
const scoreHead = markup`<thead><tr aria-rowindex="1">${titles}</tr></thead>`;

function classOf(look: string): Markup | "" {
  return look === "" ? "" : markup` class="${look}"`;
}
