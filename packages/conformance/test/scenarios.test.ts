import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarios } from "../src/scenarios/scenarios.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const pages = ["docs/spec.md", "contracts/evm/SPEC.md", "contracts/move/SPEC.md", "contracts/wasm/SPEC.md"];
const rules = pages.flatMap((page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(([, rule]) => rule ?? ""),
);
const sharedRules = rules.filter((rule) => rule.startsWith("R"));

test("ids are unique and well formed, names are unique", () => {
  const ids = scenarios.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  const names = scenarios.map(({ area, name }) => `${area}: ${name}`);
  expect(new Set(names).size).toBe(names.length);
});

test("there are enough scenarios to claim one behavior", () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(60);
});

const byNumber = (one: string, other: string): number => Number(one.slice(1)) - Number(other.slice(1));

test("the shared rules of docs/spec.md are R1 to R22", () => {
  // A rule keeps its number wherever it is on the page, so the order does not matter.
  expect(sharedRules.toSorted(byNumber)).toEqual(Array.from({ length: 22 }, (_, index) => `R${index + 1}`));
});

test.each(sharedRules)("rule %s is tested by a scenario", (rule) => {
  expect(scenarios.filter((scenario) => scenario.rules.some((one) => one === rule))).not.toEqual([]);
});

test("every rule that a scenario cites is in docs/spec.md or in a SPEC.md", () => {
  const cited = scenarios.flatMap(({ id, rules: own, differences = [] }) =>
    [...own, ...differences.map(({ rule }) => rule)].map((rule) => ({ id, rule })),
  );
  expect(cited.filter(({ rule }) => !rules.includes(rule))).toEqual([]);
});
