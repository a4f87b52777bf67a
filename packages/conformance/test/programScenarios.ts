import { isLong } from "@vipscore/testkit/isLong";
import { scenarios } from "../src/index.ts";
import type { Scenario } from "../src/scenario.ts";

/** The two that take most of the time: our own contract keeps them by day, and the others at night. */
const longest = new Set(["program.finalized-sequences", "program.pages"]);

/** The program's scenarios, by day without the longest. */
export const programScenarios: readonly Scenario[] = scenarios.filter(
  ({ area, id }) => area === "program" && (isLong || !longest.has(id)),
);
