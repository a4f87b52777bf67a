import type { LorenzPoint, ScoreRange } from "./distribution.ts";
import { count, group, shortBound } from "./formatNumbers.ts";
import { markup, type Markup } from "./markup.ts";

const width = 480;
const height = 240;
const left = 8;
const top = 20;
const bottom = height - 28;
const right = width - 8;

/** Draws how many accounts have a score in each range; the ranges are on a log scale. */
export function drawHistogram(ranges: readonly ScoreRange[]): Markup {
  const most = Math.max(1, ...ranges.map(({ accounts }) => accounts));
  const step = (right - left) / Math.max(1, ranges.length);
  // Labels of narrow bars would run into each other.
  const labelEvery = Math.ceil(44 / step);
  const bars = ranges.map(({ from, to, accounts }, index) => {
    const x = left + index * step;
    const tall = (accounts / most) * (bottom - top);
    const label =
      index % labelEvery === 0
        ? markup`<text class="tick" x="${round(x)}" y="${bottom + 16}">${shortBound(from)}</text>`
        : markup``;
    return markup`<rect class="bar" x="${round(x + 1)}" y="${round(bottom - tall)}" width="${round(step - 2)}" height="${round(tall)}"><title>${group(from)} to ${group(to - 1n)}: ${count(accounts, "account")}</title></rect>${label}`;
  });
  return frame(
    `Accounts by score, from ${group(ranges[0]?.from ?? 0n)} to ${group(ranges.at(-1)?.to ?? 0n)}; the tallest bar is ${count(most, "account")}`,
    markup`${bars}<text class="tick" x="${left}" y="12">${count(most, "account")}</text>`,
  );
}

/** Draws the Lorenz curve and the line of equal scores. */
export function drawLorenzCurve(points: readonly LorenzPoint[]): Markup {
  const at = ({ accounts, score }: LorenzPoint): string =>
    `${round(left + accounts * (right - left))},${round(bottom - score * (bottom - top))}`;
  const half = points.findLast(({ accounts }) => accounts <= 0.5)?.score ?? 0;
  return frame(
    `Lorenz curve: the lower half of the accounts has ${(100 * half).toFixed(1)} % of the total`,
    markup`<line class="equal" x1="${left}" y1="${bottom}" x2="${right}" y2="${top}"/><polyline class="curve" points="${points.map(at).join(" ")}"/><text class="tick" x="${left}" y="12">100 % of the total</text><text class="tick" x="${left}" y="${bottom + 16}">0 % of accounts</text><text class="tick end" x="${right}" y="${bottom + 16}">100 %</text>`,
  );
}

function frame(label: string, content: Markup): Markup {
  return markup`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${content}<line class="axis" x1="${left}" y1="${bottom}" x2="${right}" y2="${bottom}"/></svg>`;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
