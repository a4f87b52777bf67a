import { expect, test } from "vitest";
import { ScoreTable } from "@vipscore/core";
import { compareScores } from "./compareScores.ts";
import { renderComparison } from "./renderComparison.ts";

const tableOf = (...scores: readonly bigint[]) =>
  ScoreTable.from(scores.map((score, index) => ({ account: `0x${`${index}`.padStart(40, "b")}`, score })));
const names = "old<b>.csv and new.csv";

/** Returns the element that is not closed, or closes another one. */
function findBroken(html: string): string | undefined {
  const opened: string[] = [];
  for (const [, slash, name = "", end = ""] of html.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    if (slash === "/" && opened.pop() !== name) return name;
    if (slash === "" && end === "" && !["meta", "wbr"].includes(name)) opened.push(name);
  }
  return opened.at(-1);
}

test.each([
  ["changes", tableOf(1n, 20n, 300n, 0n), tableOf(300n, 20n, 0n, 4n)],
  ["nothing", tableOf(), tableOf()],
])("a page of %s is well-formed, has no script, and no number that is not one", (_, before, after) => {
  const page = renderComparison({ names, comparison: compareScores(before, after), files: [] });
  expect(findBroken(page)).toBeUndefined();
  expect(page).not.toMatch(/<script|NaN|Infinity|undefined|null/);
  expect(page).toContain("old&lt;b&gt;.csv");
});

test("shows what an account had and has, and draws the shares", () => {
  const page = renderComparison({ names, comparison: compareScores(tableOf(1n, 3n), tableOf(3n, 1n)) });
  const address = `0x${"1".padStart(40, "b")}`;
  const row = `<td class="address">${address}</td><td>3 <span class="tag">to 1</span></td>`;
  expect(page.toLowerCase()).toContain(row);
  expect(page).toContain(`<td>75.0000 % <span class="tag">to 25.0000 %</span></td>`);
  expect(page.match(/<rect class="before"/g)).toHaveLength(10);
  expect(page.match(/<rect class="bar"[^>]*height="172"/g)).toHaveLength(1);
});

test("shows a policy's lines as they are", () => {
  const files = [
    { name: "policy.sql", lines: ["- a < 1", "+ \ta > 1"] },
    { name: "big.csv", lines: [] },
  ];
  const page = renderComparison({ names, comparison: compareScores(tableOf(), tableOf()), files });
  expect(page).toMatch(/<span class="bad">- a &lt; 1<\/span>\n<span class="good">\+ {3}a &gt; 1<\/span>\n<\/pre>/);
  expect(page).toMatch(/<h2>big\.csv .*?<\/h2><\/section>/);
});
