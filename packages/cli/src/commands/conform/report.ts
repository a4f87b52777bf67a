import type { GasPerRow, RuleResult, ScenarioResult } from "@vipscore/conformance";
import type { Vm } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import type { Output } from "../../output/output.ts";

/** Everything that `conform` found out. */
export interface ConformReport {
  readonly vm: Vm;
  readonly artifact: string | undefined;
  readonly seed: number;
  readonly exceptions: ReadonlyMap<string, string>;
  readonly rules: readonly RuleResult[];
  readonly results: readonly ScenarioResult[];
  readonly gas: GasPerRow | undefined;
  /** False if the node cannot show what a call changed in storage. */
  readonly comparesStorage: boolean;
  readonly seconds: number;
}

/** Prints a row for each rule, and below it what was seen where it does not hold. */
export function printReport(output: Output, report: ConformReport): void {
  const { exceptions, rules, gas, results, comparesStorage, seed, seconds } = report;
  for (const { rule, verdict, scenarios, broken } of rules) {
    const mark = verdict === "broken" ? output.paint("red", "✗") : output.paint("green", "✓");
    const reason = exceptions.get(rule);
    const note = reason === undefined ? "" : `  excepted: ${reason}`;
    output.print(`${mark} ${rule.padEnd(3)}  ${count(scenarios, "scenario")}${note}`);
    for (const { id, name, seen } of broken) output.print(`       ${id}: ${name}\n         ${seen}`);
  }
  if (gas !== undefined) {
    output.print(`gas per row: ${group(gas.contract)}, of the reference contract ${group(gas.reference)}`);
  }
  if (!comparesStorage) output.print("storage was not compared: the node does not show what a first write changes");
  const kept = results.filter(({ verdict }) => verdict === "kept").length;
  output.print(`${kept} of ${count(results.length, "scenario")} kept, seed ${seed}, ${seconds} s`);
}

/** Returns the same for programs. */
export function reportJson(report: ConformReport): object {
  const { vm, artifact, seed, exceptions, rules, results, gas, comparesStorage, seconds } = report;
  return {
    command: "conform",
    vm,
    artifact: artifact ?? null,
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
