import { count, group } from "@vipscore/core/values";
import type { GasPerRow, RuleResult, ScenarioResult } from "./runConformance.ts";

/** Everything that a run of the scenarios found out. */
export interface ConformanceReport {
  readonly seed: number;
  /** The reason for each rule that is excepted. */
  readonly exceptions: ReadonlyMap<string, string>;
  readonly rules: readonly RuleResult[];
  readonly results: readonly ScenarioResult[];
  /** Undefined for a contract that cannot write a batch. */
  readonly gas: GasPerRow | undefined;
  /** False if the node cannot show what a call changed in storage. */
  readonly comparesStorage: boolean;
  readonly seconds: number;
}

/** Returns a line for each rule, and below it what was seen where it does not hold. */
export function reportLines(
  { exceptions, rules, gas, results, comparesStorage, seed, seconds }: ConformanceReport,
  paint: (style: "red" | "green", text: string) => string,
): readonly string[] {
  const ofRules = rules.flatMap(({ rule, verdict, scenarios, broken }) => {
    const mark = verdict === "broken" ? paint("red", "✗") : paint("green", "✓");
    const reason = exceptions.get(rule);
    const note = reason === undefined ? "" : `  excepted: ${reason}`;
    const seen = broken.map((scenario) => `       ${scenario.id}: ${scenario.name}\n         ${scenario.seen}`);
    return [`${mark} ${rule.padEnd(3)}  ${count(scenarios, "scenario")}${note}`, ...seen];
  });
  const costs = gas && `gas per row: ${group(gas.contract)}, of the reference contract ${group(gas.reference)}`;
  const kept = results.filter(({ verdict }) => verdict === "kept").length;
  return [
    ...ofRules,
    ...(costs === undefined ? [] : [costs]),
    ...(comparesStorage ? [] : ["storage was not compared: the node does not show what a first write changes"]),
    `${kept} of ${count(results.length, "scenario")} kept, seed ${seed}, ${seconds} s`,
  ];
}

/** Returns the same for programs. */
export function reportJson(report: ConformanceReport): object {
  const { seed, seconds, comparesStorage, gas, exceptions, rules, results } = report;
  return {
    seed,
    seconds,
    comparesStorage,
    gasPerRow: gas ?? null,
    exceptions: Object.fromEntries(exceptions),
    rules: rules.map(({ rule, verdict, scenarios, broken }) => {
      return { rule, verdict, scenarios, broken: broken.map(({ id }) => id) };
    }),
    scenarios: results,
  };
}
