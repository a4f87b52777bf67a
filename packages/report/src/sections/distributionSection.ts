import { count, group } from "@vipscore/core/values";
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
<figure>${drawLorenzCurve(points)}<figcaption>Lorenz curve; the dashed line is equal scores. At least half of the total belongs to ${group(accountsOfHalf(ranked, total))} of ${count(countScored(ranked), "account")}.</figcaption>${lorenzNumbers(points)}</figure>
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

/** Accounts whose score is at least `from` and below `to`. */
interface ScoreRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly accounts: number;
}

/** A point of the Lorenz curve; both from 0 to 1. */
interface LorenzPoint {
  /** Share of the accounts, from the lowest score on. */
  readonly accounts: number;
  /** Their share of the total. */
  readonly score: number;
}

/** Points of a Lorenz curve: as many as a chart can show. */
const lorenzSteps = 100;

/** Parts of 1 that a share is counted in before it becomes a number: a total may exceed 2^53. */
const parts = 1_000_000n;

/**
 * Counts the accounts with a score above 0 in ranges that grow as 1, 2, 5, 10, 20, 50, …, from the range of the lowest score
 * to that of the highest.
 */
export function countRanges(ranked: readonly RankedRow[]): readonly ScoreRange[] {
  const ascending = ranked.filter(({ score }) => score > 0n).reverse();
  const ranges: ScoreRange[] = [];
  let next = 0;
  for (let from = 1n; next < ascending.length; from = upperBound(from)) {
    const to = upperBound(from);
    const start = next;
    while (next < ascending.length && (ascending[next]?.score ?? to) < to) next += 1;
    if (next > start || ranges.length > 0) ranges.push({ from, to, accounts: next - start });
  }
  return ranges;
}

/** 2, 5, 10 for 1, 2, 5, and so on. */
function upperBound(from: bigint): bigint {
  return `${from}`.startsWith("2") ? (from * 5n) / 2n : from * 2n;
}

/** Returns the Lorenz curve of the accounts with a score above 0, from (0, 0) to (1, 1). */
export function lorenzCurve(ranked: readonly RankedRow[], total: bigint): readonly LorenzPoint[] {
  const ascending = ranked.filter(({ score }) => score > 0n).reverse();
  const points: LorenzPoint[] = [{ accounts: 0, score: 0 }];
  let sum = 0n;
  let added = 0;
  const steps = Math.min(lorenzSteps, ascending.length);
  for (let step = 1; step <= steps; step += 1) {
    const end = Math.round((step * ascending.length) / steps);
    for (const { score } of ascending.slice(added, end)) sum += score;
    added = end;
    points.push({ accounts: end / ascending.length, score: Number((sum * parts) / total) / Number(parts) });
  }
  return points;
}

/** Returns how many accounts, those with the highest scores, together have at least half of the total. */
export function accountsOfHalf(ranked: readonly RankedRow[], total: bigint): number {
  let sum = 0n;
  let accounts = 0;
  for (const { score } of ranked) {
    if (2n * sum >= total) break;
    sum += score;
    accounts += 1;
  }
  return accounts;
}

// Units of the drawing. A chart is 340 to 530 pixels wide, so its 13-unit labels have 11 to 17 pixels.
const width = 400;
const height = 220;
/** The sides of a chart's area. */
export const area = { left: 4, top: 22, bottom: height - 26, right: width - 4 } as const;
const { left, top, bottom, right } = area;

/** Draws how many accounts have a score in each range; the ranges are on a log scale. */
function drawHistogram(ranges: readonly ScoreRange[]): Markup {
  const most = Math.max(1, ...ranges.map(({ accounts }) => accounts));
  const step = (right - left) / Math.max(1, ranges.length);
  // Labels of narrow bars would run into each other.
  const labelEvery = Math.ceil(48 / step);
  const bars = ranges.map(({ from, to, accounts }, index) => {
    const x = left + index * step;
    const tall = (accounts / most) * (bottom - top);
    const label =
      index % labelEvery === 0
        ? markup`<text class="tick" x="${round(x)}" y="${bottom + 18}">${shortBound(from)}</text>`
        : markup``;
    return markup`<rect class="bar" x="${round(x + 1)}" y="${round(bottom - tall)}" width="${round(step - 2)}" height="${round(tall)}"><title>${group(from)} to ${group(to - 1n)}: ${count(accounts, "account")}</title></rect>${label}`;
  });
  const tallest = ranges.find(({ accounts }) => accounts === most);
  return frame(
    "histogram",
    "Accounts by score",
    `Scores go from ${group(ranges[0]?.from ?? 0n)} to ${group((ranges.at(-1)?.to ?? 1n) - 1n)}. Most accounts, ${group(most)}, have ${group(tallest?.from ?? 0n)} to ${group((tallest?.to ?? 1n) - 1n)}.`,
    markup`${bars}<text class="tick" x="${left}" y="14">${count(most, "account")}</text>${most < 2 ? "" : halfLine(group(most / 2))}`,
  );
}

function drawLorenzCurve(points: readonly LorenzPoint[]): Markup {
  const at = ({ accounts, score }: LorenzPoint): string =>
    `${round(left + accounts * (right - left))},${round(bottom - score * (bottom - top))}`;
  const half = points.findLast(({ accounts }) => accounts <= 0.5)?.score ?? 0;
  return frame(
    "lorenz",
    "Lorenz curve",
    `The lower half of the accounts has ${(100 * half).toFixed(1)} % of the total.`,
    markup`<text class="tick" x="${left}" y="14">100 % of the total</text>${halfLine("50 %")}<line class="equal" x1="${left}" y1="${bottom}" x2="${right}" y2="${top}"/><polyline class="curve" points="${points.map(at).join(" ")}"/><text class="tick" x="${left}" y="${bottom + 18}">0 % of accounts</text><text class="tick end" x="${right}" y="${bottom + 18}">100 %</text>`,
  );
}

/** The middle of the vertical axis. */
export function halfLine(label: string): Markup {
  const y = (top + bottom) / 2;
  return markup`<line class="grid" x1="${left}" y1="${y}" x2="${right}" y2="${y}"/><text class="tick" x="${left}" y="${y - 4}">${label}</text>`;
}

export function frame(id: string, title: string, description: string, content: Markup): Markup {
  return markup`<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"><title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc><line class="grid" x1="${left}" y1="${top}" x2="${right}" y2="${top}"/>${content}<line class="axis" x1="${left}" y1="${bottom}" x2="${right}" y2="${bottom}"/></svg>`;
}

export function round(units: number): number {
  return Math.round(units * 10) / 10;
}

/** Shortens the bound of a range: `500`, `2 k`, `10 M`. */
function shortBound(value: bigint): string {
  const digits = `${value}`;
  const thousands = Math.floor((digits.length - 1) / 3);
  const unit = ["", " k", " M", " G", " T", " P", " E"][thousands] ?? "";
  return `${value / 1000n ** BigInt(thousands)}${unit}`;
}
