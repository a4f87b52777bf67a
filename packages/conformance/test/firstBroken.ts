import { isLong } from "@vipscore/testkit/isLong";
import { scenarios as all, runConformance, type ScenarioResult, type Subject } from "../src/index.ts";
import type { Scenario } from "../src/scenario.ts";

/** Returns the first of the scenarios that a contract breaks; undefined if it keeps all. */
export async function firstBroken(
  subject: Subject,
  scenarios: readonly Scenario[],
): Promise<ScenarioResult | undefined> {
  for await (const result of runConformance(subject, { scenarios })) {
    if (result.verdict === "broken") return result;
  }
  return undefined;
}

/** The two that take most of the time: our own contract keeps them by day, and the others at night. */
const longest = new Set(["program.finalized-sequences", "program.pages"]);

/** The program's scenarios, by day without the longest. */
export const programScenarios: readonly Scenario[] = all.filter(
  ({ area, id }) => area === "program" && (isLong || !longest.has(id)),
);
