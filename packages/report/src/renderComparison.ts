import { group } from "@vipscore/core/values";
import {
  measures,
  type AccountChange,
  type BeforeAfter,
  type LargestChanges,
  type Measure,
  type ScoreComparison,
} from "./compareScores.ts";
import { Markup, markup, tiles } from "./markup.ts";
import { pagePolicy } from "./pagePolicy.ts";
import { area, frame, halfLine, round } from "./sections/distributionSection.ts";
import { styles } from "./styles.ts";

/** Contents of the page. Texts may come from anywhere: they are escaped. */
export interface ComparisonPage {
  /** What was compared: names of files or folders. */
  readonly names: BeforeAfter<string>;
  readonly comparison: ScoreComparison;
  /** The files that differ, if both are policies; see `PolicyFileChange`. */
  readonly files?: readonly { readonly name: string; readonly lines: readonly string[] }[] | undefined;
}

/** Renders the comparison of two score tables as one HTML page without a script, which requests nothing. */
export function renderComparison({ names, comparison, files }: ComparisonPage): string {
  const { before, after, entered, left, higher, lower, unchanged, changes } = comparison;
  const both = (title: string, text: (spread: typeof before) => string) =>
    [
      [`${title} before`, text(before)],
      [`${title} after`, text(after)],
    ] as const;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy("", {})}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Scores before and after</title>
<style>${new Markup(styles)}</style>
</head>
<body>
<header><h1>Scores before and after</h1>
<p class="quiet">Before: ${names.before} · after: ${names.after}</p>
${tiles([
  ...both("Total", ({ total }) => group(total)),
  ...both("Accounts", ({ accounts }) => group(accounts)),
  ...both("Largest share", ({ largestShare }) => `${largestShare} %`),
  ...both("Gini", ({ gini }) => gini),
  ["Enter", group(entered.accounts)],
  ["Leave", group(left.accounts)],
  ["Higher score", group(higher)],
  ["Lower score", group(lower)],
  ["Same score", group(unchanged)],
])}
</header>
<main>
${decileSection(comparison)}
<section><h2>Accounts that enter and leave</h2>
${changeTable("Enter", "score", entered.largest)}
${changeTable("Leave", "score", left.largest)}
</section>
${measures.map(
  (measure) => markup`<section><h2>Largest changes of ${measure}</h2>
${changeTable("Gains", measure, changes[measure].gains)}
${changeTable("Losses", measure, changes[measure].losses)}
</section>`,
)}
${files === undefined ? "" : markup`<section><h2>What changed in the policy</h2>${files.length === 0 ? markup`<p>Nothing.</p>` : files.map(fileDiff)}</section>`}
</main>
</body>
</html>
`;
  return page.text;
}

/** Returns what an account had and has, for people. */
export function changeTexts(measure: Measure, change: AccountChange): BeforeAfter<string> {
  const text = (value: bigint | number | string | null): string =>
    value === null ? "–" : typeof value === "string" ? `${value} %` : group(value);
  return { before: text(change[measure].before), after: text(change[measure].after) };
}

function changeTable(title: string, measure: Measure, changes: LargestChanges): Markup {
  if (changes.length === 0) return markup`<h3>${title}</h3><p>No account.</p>`;
  const rows = changes.map((change) => {
    const { before, after } = changeTexts(measure, change);
    return markup`<tr><td class="address">${change.account}</td><td>${before} <span class="tag">to ${after}</span></td></tr>`;
  });
  return markup`<h3>${title}</h3><table><thead><tr><th scope="col" class="address">Address</th><th scope="col">Before to after</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Draws the part of the total that each tenth of the accounts has: the left bar before, the right one after. */
function decileSection({ before, after }: ScoreComparison): Markup {
  const { left, right, top, bottom } = area;
  // The smallest share that is not 0: without scores, all bars are flat.
  const most = Math.max(0.0001, ...[...before.deciles, ...after.deciles].map(Number));
  const step = (right - left) / before.deciles.length;
  const width = round(step / 2 - 3);
  const bar = (look: string, share: string, x: number): Markup => {
    const tall = (Number(share) / most) * (bottom - top);
    return markup`<rect class="${look}" x="${round(x)}" y="${round(bottom - tall)}" width="${width}" height="${round(tall)}"><title>${share} %</title></rect>`;
  };
  const pairs = before.deciles.map((share, index) => ({ share, next: after.deciles[index] ?? "", tenth: index + 1 }));
  const bars = pairs.map(({ share, next, tenth }) => {
    const x = left + (tenth - 1) * step + 3;
    return markup`${bar("before", share, x)}${bar("bar", next, x + width)}<text class="tick" x="${round(x)}" y="${bottom + 18}">${tenth}</text>`;
  });
  const rows = pairs.map(
    ({ share, next, tenth }) => markup`<tr><td>${tenth}</td><td>${share} %</td><td>${next} %</td></tr>`,
  );
  const chart = frame(
    "deciles",
    "Share of the total by tenth of the accounts",
    `The tenth with the highest scores has ${before.deciles.at(-1) ?? ""} % before and ${after.deciles.at(-1) ?? ""} % after.`,
    markup`${bars}<text class="tick" x="${left}" y="14">${most.toFixed(2)} % of the total</text>${halfLine(`${(most / 2).toFixed(2)} %`)}`,
  );
  return markup`<section><h2>Shares by tenth of the accounts</h2>
<div class="charts">
<figure>${chart}<figcaption>Tenths of the accounts, from the lowest scores to the highest: the left bar before, the right one after</figcaption></figure>
<table><thead><tr><th scope="col">Tenth</th><th scope="col">Before</th><th scope="col">After</th></tr></thead><tbody>${rows}</tbody></table>
</div>
</section>`;
}

function fileDiff({ name, lines }: NonNullable<ComparisonPage["files"]>[number]): Markup {
  const looks: Readonly<Record<string, string>> = { "-": "bad", "+": "good" };
  const shown = lines.map((line, index) => {
    const end = new Markup(index === lines.length - 1 ? "" : "\n");
    // As a control character, a tab would not be shown.
    return markup`<span class="${looks[line.charAt(0)] ?? "quiet"}">${line.replaceAll("\t", "  ")}</span>${end}`;
  });
  const text = shown.length === 0 ? markup`<p>Too large to show.</p>` : markup`<pre tabindex="0">${shown}</pre>`;
  return markup`<h3>${name}</h3>${text}`;
}
