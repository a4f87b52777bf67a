import { runConformance, type ScenarioResult, type Subject } from "../src/index.ts";
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
