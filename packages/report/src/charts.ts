import { count, group } from "@vipscore/core/values";
import type { LorenzPoint, ScoreRange } from "./distribution.ts";
import { shortBound } from "./formatNumbers.ts";
import { markup, type Markup } from "./markup.ts";

// Units of the drawing. A chart is 340 to 530 pixels wide, so its 13-unit labels have 11 to 17 pixels.
const width = 400;
const height = 220;
const left = 4;
const top = 22;
const bottom = height - 26;
const right = width - 4;

/** Draws how many accounts have a score in each range; the ranges are on a log scale. */
export function drawHistogram(ranges: readonly ScoreRange[]): Markup {
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
    markup`<text class="tick" x="${left}" y="14">${count(most, "account")}</text>${bars}`,
  );
}

/** Draws the Lorenz curve and the line of equal scores. */
export function drawLorenzCurve(points: readonly LorenzPoint[]): Markup {
  const at = ({ accounts, score }: LorenzPoint): string =>
    `${round(left + accounts * (right - left))},${round(bottom - score * (bottom - top))}`;
  const half = points.findLast(({ accounts }) => accounts <= 0.5)?.score ?? 0;
  return frame(
    "lorenz",
    "Lorenz curve",
    `The lower half of the accounts has ${(100 * half).toFixed(1)} % of the total.`,
    markup`<text class="tick" x="${left}" y="14">100 % of the total</text><line class="equal" x1="${left}" y1="${bottom}" x2="${right}" y2="${top}"/><polyline class="curve" points="${points.map(at).join(" ")}"/><text class="tick" x="${left}" y="${bottom + 18}">0 % of accounts</text><text class="tick end" x="${right}" y="${bottom + 18}">100 %</text>`,
  );
}

function frame(id: string, title: string, description: string, content: Markup): Markup {
  return markup`<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"><title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc><line class="grid" x1="${left}" y1="${top}" x2="${right}" y2="${top}"/>${content}<line class="axis" x1="${left}" y1="${bottom}" x2="${right}" y2="${bottom}"/></svg>`;
}

function round(units: number): number {
  return Math.round(units * 10) / 10;
}
