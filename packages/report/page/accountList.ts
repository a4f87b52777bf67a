import { group, percent } from "../src/formatNumbers.ts";
import { addressAt } from "./decodeRows.ts";
import { byId, create } from "./elements.ts";
import type { RowArrays } from "./messages.ts";

/** Pixels of one row; the style sheet says the same as 2rem. */
const rowHeight = 32;
/** Rows in the document, however many the stage has; the style sheet makes the list as high as these and the header. */
const shownRows = 12;
/** Browsers cut elements off at some 17 million pixels; a longer list scrolls several rows a step. */
const maxPixels = 10_000_000;

/** Shows all accounts in a table of few rows that follows the scroll position. */
export function showAccounts(rows: RowArrays, total: bigint): void {
  const list = byId("list", HTMLDivElement);
  const body = byId("shown", HTMLTableSectionElement);
  const count = rows.scores.length;
  const shown = Math.min(shownRows, count);
  fixWidths(byId("table", HTMLTableElement), count, rows.scores[0] ?? 0n);
  byId("height", HTMLDivElement).style.height = `${Math.min(maxPixels, (count + 1) * rowHeight)}px`;
  const lines = Array.from({ length: shown }, () => {
    const line = document.createElement("tr");
    line.append(create("td", ""), create("td", "", "address"), create("td", ""), create("td", "", "minor"));
    return line;
  });
  body.replaceChildren(...lines);
  const fill = (): void => {
    const scrolled = list.scrollTop / Math.max(1, list.scrollHeight - list.clientHeight);
    const first = Math.round(Math.min(1, scrolled) * (count - shown));
    for (const [index, line] of lines.entries()) fillLine(line, first + index, rows, total);
  };
  let isWaiting = false;
  list.addEventListener("scroll", () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      fill();
    });
  });
  fill();
}

/** Makes the columns as wide as their longest text, so that they stay in place while the rows change. */
function fixWidths(table: HTMLElement, count: number, highest: bigint): void {
  const longest = [group(count), "0x0123456789", group(highest), "100.00 %"].map((text) => Math.max(5, text.length));
  const headers = table.querySelectorAll("th");
  for (const [index, header] of headers.entries())
    if (header.className !== "address") header.style.width = `calc(${longest[index] ?? 0}ch + 1.25rem)`;
  // Where this does not fit, the list scrolls sideways: a score is never cut.
  table.style.minWidth = `${longest.slice(0, 3).reduce((sum, characters) => sum + characters, 5)}ch`;
}

function fillLine(line: HTMLTableRowElement, row: number, rows: RowArrays, total: bigint): void {
  const address = addressAt(rows.addresses, row);
  const score = rows.scores[row] ?? 0n;
  const texts = [score === 0n ? "–" : group(rows.ranks[row] ?? 0), address, group(score), percent(score, total)];
  // The first line is the header.
  line.ariaRowIndex = `${row + 2}`;
  for (const [index, text] of texts.entries()) {
    const cell = line.cells[index];
    if (cell === undefined) continue;
    cell.textContent = text;
    // A narrow screen cuts the address.
    if (text === address) cell.title = address;
  }
}
