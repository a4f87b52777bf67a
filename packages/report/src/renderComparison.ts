import { group } from "@vipscore/core/values";
import type { ScoreComparison, ScoreSpread } from "./compareScores.ts";
import { Markup, markup } from "./markup.ts";
import { pagePolicy } from "./pagePolicy.ts";
import { renderPage } from "./renderPage.ts";
import { area, frame, halfLine, round } from "./sections/distributionSection.ts";

/** A comparison for people. Texts may come from anywhere: they are escaped. */
export interface ComparisonPage {
  /** What was compared, such as two names of files. */
  readonly names: string;
  readonly comparison: ScoreComparison;
  /** The files that differ, if both are policies; see `PolicyFileChange`. */
  readonly files?: readonly { readonly name: string; readonly lines: readonly string[] }[] | undefined;
}

/** Lines of a title, the value before, and that after. */
type ComparedLines = readonly (readonly [title: string, before: string, after: string])[];

/** Returns the tables of a comparison, each with its title: how the totals are spread, then the largest changes of each kind. */
export function comparisonTables(compared: ScoreComparison): readonly (readonly [title: string, ComparedLines])[] {
  const { before, after, accounts, largest } = compared;
  const both = (title: string, text: (spread: ScoreSpread) => string) => [title, text(before), text(after)] as const;
  const spread = [
    both("Total", ({ total }) => group(total)),
    both("Accounts", (side) => group(side.accounts)),
    ...Object.entries(accounts).map(([change, number]) => [`– ${change}`, "", group(number)] as const),
    both("Largest share", ({ largestShare }) => `${largestShare} %`),
    both("Gini", ({ gini }) => gini),
    ...before.deciles.map((_, tenth) => both(`Tenth ${tenth + 1}`, ({ deciles }) => `${deciles[tenth] ?? ""} %`)),
  ];
  const lists = Object.entries(largest).map(([kind, changes]) => {
    const by = kind.endsWith("share") ? "share" : kind.endsWith("rank") ? "rank" : "score";
    const text = (value: bigint | number | string | null): string =>
      typeof value === "string" ? `${value} %` : group(value ?? 0);
    const lines = changes.map((one) => [one.address, text(one[by].before), text(one[by].after)] as const);
    return [`Largest changes: ${kind}`, lines] as const;
  });
  return [["Totals and shares, before and after", spread], ...lists];
}

/** Renders the comparison of two score tables as one HTML page without a script, which requests nothing. */
export function renderComparison({ names, comparison, files = [] }: ComparisonPage): string {
  const [spread, ...lists] = comparisonTables(comparison).map(([title, lines]) => {
    const rows = lines.map(([name, was, is]) => {
      const values = was === "" ? is : markup`${was} <span class="tag">to ${is}</span>`;
      return markup`<tr><td class="address">${name}</td><td>${values}</td></tr>`;
    });
    return markup`<section><h2>${title}</h2>${rows.length === 0 ? "Nobody" : markup`<table>${rows}</table>`}</section>`;
  });
  const body = markup`<header><h1>Scores before and after</h1><p class="quiet">${names}</p></header>
<main><div class="charts">${spread ?? ""}${drawDeciles(comparison)}</div>${lists}${files.map(fileSection)}</main>`;
  return renderPage("Scores before and after", pagePolicy("", {}), body);
}

/** Draws the part of the total that each tenth of the accounts has. */
function drawDeciles({ before, after }: ScoreComparison): Markup {
  const { left, right, top, bottom } = area;
  // Without scores, all bars are flat.
  const most = Math.max(0.0001, ...[...before.deciles, ...after.deciles].map(Number));
  const width = (right - left) / 20 - 3;
  const bars = [before, after].flatMap(({ deciles }, side) =>
    deciles.map((share, tenth) => {
      const [x, tall] = [left + 3 + tenth * 2 * (width + 3) + side * width, (Number(share) / most) * (bottom - top)];
      return markup`<rect class="${side === 0 ? "before" : "bar"}" x="${round(x)}" y="${round(bottom - tall)}" width="${round(width)}" height="${round(tall)}"><title>${share} %</title></rect>`;
    }),
  );
  const [was = "", is = ""] = [before, after].map(({ deciles }) => deciles.at(-1));
  const title = "Share of the total by tenth of the accounts, the lowest scores first";
  const text = `The tenth with the highest scores has ${was} % before and ${is} % after.`;
  const content = markup`${bars}<text class="tick" x="${left}" y="14">${most.toFixed(2)} % of the total</text>${halfLine(`${(most / 2).toFixed(2)} %`)}<text class="tick" x="${left}" y="${bottom + 18}">lowest scores</text><text class="tick end" x="${right}" y="${bottom + 18}">highest</text>`;
  return markup`<figure>${frame("deciles", title, text, content)}<figcaption>${title}: the left bar before, the right one after</figcaption></figure>`;
}

function fileSection({ name, lines }: NonNullable<ComparisonPage["files"]>[number]): Markup {
  // As control characters, tabs and line feeds would not be shown.
  const [tab, end] = ["  ", new Markup("\n")] as const;
  const look = (line: string): string => (line.startsWith("+") ? "good" : "bad");
  const shown = lines.map((line) => markup`<span class="${look(line)}">${line.replaceAll("\t", tab)}</span>${end}`);
  return markup`<section><h2>${name} differs</h2>${shown.length === 0 ? "" : markup`<pre tabindex="0">${shown}</pre>`}</section>`;
}
