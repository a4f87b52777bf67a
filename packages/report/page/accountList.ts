import { group } from "@vipscore/core/values";
import { scoreColumns, type RankedRow, type StageNumbers } from "../src/scoreColumns.ts";
import { rowAt } from "./decodeRows.ts";
import type { RowArrays } from "./messages.ts";
import { byId, create } from "./showResult.ts";

/** Pixels of one row; the style sheet says the same as 2rem. */
const rowHeight = 32;
/** Rows in the document, however many the stage has; the style sheet makes the list as high as these and the header. */
const shownRows = 12;
/** Browsers cut elements off at some 17 million pixels; a longer list scrolls several rows a step. */
const maxPixels = 10_000_000;

/** Shows all accounts in a table of few rows that follows the scroll position. @param find Searches for an address. */
export function showAccounts(rows: RowArrays, stage: StageNumbers, find: (address: string) => void): void {
  const list = byId("list", HTMLDivElement);
  const body = byId("shown", HTMLTableSectionElement);
  const count = rows.ranks.length;
  const shown = Math.min(shownRows, count);
  fixWidths(byId("table", HTMLTableElement), rowAt(rows, 0), count);
  byId("height", HTMLDivElement).style.height = `${Math.min(maxPixels, (count + 1) * rowHeight)}px`;
  const lines = Array.from({ length: shown }, () => {
    const line = document.createElement("tr");
    line.append(...scoreColumns.map(({ look }) => create("td", "", look)));
    const button = create("button", "");
    // Twelve stops on the way through the page would show nothing that the search does not.
    button.tabIndex = -1;
    line.querySelector(".address")?.append(button);
    return line;
  });
  body.replaceChildren(...lines);
  const where = byId("where", HTMLParagraphElement);
  body.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLButtonElement) find(target.textContent);
  });
  const fill = (): void => {
    const scrolled = list.scrollTop / Math.max(1, list.scrollHeight - list.clientHeight);
    const first = Math.round(Math.min(1, scrolled) * (count - shown));
    for (const [index, line] of lines.entries()) fillLine(line, first + index, rows, stage);
    where.textContent = `${group(first + 1)} to ${group(first + shown)} of ${group(count)}${shown < count ? "; scroll for the others" : ""}`;
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
function fixWidths(table: HTMLElement, first: RankedRow, count: number): void {
  const headers = table.querySelectorAll("th");
  // And the space around them.
  let narrowest = 2;
  for (const [index, { look, widest }] of scoreColumns.entries()) {
    const characters = Math.max(5, widest(first, count).length);
    const header = headers[index];
    if (header !== undefined && look !== "address") header.style.width = `${characters}ch`;
    if (look !== "minor") narrowest += characters;
  }
  // Where this does not fit, the list scrolls sideways: a score is never cut.
  table.style.minWidth = `${narrowest}ch`;
}

function fillLine(line: HTMLTableRowElement, index: number, rows: RowArrays, stage: StageNumbers): void {
  const row = rowAt(rows, index);
  // The first line is the header.
  line.ariaRowIndex = `${index + 2}`;
  for (const [column, { look, text }] of scoreColumns.entries()) {
    const cell = line.cells[column];
    if (cell === undefined) continue;
    // A narrow screen cuts the address; the search shows all of it.
    const place = look === "address" ? (cell.firstElementChild ?? cell) : cell;
    place.textContent = text(row, stage);
  }
}
