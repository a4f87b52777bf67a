import { expect, test } from "vitest";
import { conformanceReport, markdownReport, terminalTable, type ScenarioResult } from "./conformanceReport.ts";

function result(id: string, node: string, passed: boolean): ScenarioResult {
  const differences = id === "b.two" ? [{ vm: "move" as const, rule: "M9" as const, what: "never" }] : [];
  const reference = id === "a.one" ? "it wraps" : undefined;
  return { id, name: `name of ${id}`, area: id.slice(0, 1), node, rules: ["R1", "R2"], reference, differences, passed };
}

const passing = ["x", "y"].flatMap((node) => [result("a.one", node, true), result("b.two", node, true)]);

test("scenarios and nodes keep their order, and all passed", () => {
  const report = conformanceReport(passing);
  expect(report).toMatchObject({ nodes: ["x", "y"], allPassed: true });
  expect(report.scenarios.map(({ id, passed }) => ({ id, passed }))).toEqual([
    { id: "a.one", passed: { x: true, y: true } },
    { id: "b.two", passed: { x: true, y: true } },
  ]);
});

test("a scenario that failed or did not run on a node has failed", () => {
  const failed = conformanceReport([...passing.slice(0, 3), result("b.two", "y", false)]);
  expect(failed.allPassed).toBe(false);
  const missing = conformanceReport(passing.slice(0, 3));
  expect(missing.allPassed).toBe(false);
  expect(missing.scenarios[1]?.passed).toEqual({ x: true, y: false });
  expect(conformanceReport([]).allPassed).toBe(false);
});

test("the terminal table has a line per scenario and the verdict", () => {
  expect(terminalTable(conformanceReport(passing.slice(0, 3))).split("\n")).toEqual([
    "scenario  x  y",
    "a.one     ✓  ✓",
    "b.two     ✓  ✗",
    expect.stringMatching(/\b2 scenarios\b.*\b2 nodes\b.*\bNOT\b/),
  ]);
});

test("the Markdown has a table per area, the differences and the reference's bugs", () => {
  const text = markdownReport(conformanceReport(passing));
  expect(text).toMatch(/\b2 scenarios\b.*\b2 nodes\b(?!.*\bNOT\b)/);
  expect(text).toMatch(/^## a\n\n\| .* \| x \| y \|\n\|[ -|]+\|\n\| \S.* a\.one \| R1, R2 \| ✓ \| ✓ \|$/m);
  expect(text).toContain("- `b.two`, move (M9): never");
  expect(text).toContain("- `a.one`: it wraps");
});
