import { createHash } from "node:crypto";
import { count, group } from "@vipscore/core/values";
import { publishedCode, type ContractCode } from "./contractCode.ts";
import { measureGas, resultsByRule, type GasPerRow, type RuleResult, type ScenarioResult } from "./runConformance.ts";
import type { Construction } from "./sources/construction.ts";
import type { Subject } from "./subject.ts";

/** Everything that a run of the scenarios found out. */
export interface ConformanceReport {
  readonly seed: number;
  readonly sha256: string;
  /** True if the contract is vipscore's own, byte for byte. */
  readonly isPublished: boolean;
  /** The reason for each rule that is excepted. */
  readonly exceptions: ReadonlyMap<string, string>;
  readonly rules: readonly RuleResult[];
  readonly results: readonly ScenarioResult[];
  /** Undefined for a contract that cannot write a batch. */
  readonly gas: GasPerRow | undefined;
  /** What an author must know besides, a line each. */
  readonly warnings: readonly string[];
  /** Undefined if no sources were given. */
  readonly construction?: Construction | undefined;
  readonly seconds: number;
}

/** Puts together what a run found out. */
export async function reportOf(
  subject: Subject,
  code: ContractCode,
  results: readonly ScenarioResult[],
  options: Pick<ConformanceReport, "exceptions" | "construction" | "seconds">,
): Promise<ConformanceReport> {
  const { seed, warnings } = subject;
  const own = await publishedCode(code.vm);
  const rules = resultsByRule(results, new Set(options.exceptions.keys()));
  return {
    ...options,
    construction: options.construction && asSeen(options.construction, rules),
    seed,
    sha256: createHash("sha256").update(code.bytes).digest("hex"),
    isPublished: own.bytes.equals(code.bytes),
    rules,
    results,
    gas: await measureGas(subject).catch(() => undefined),
    warnings,
  };
}

/**
 * Nothing follows from the sources of a contract that broke a rule: the premise may be false, as it was for solc 0.8.28 to 0.8.33
 * (TransientStorageClearingHelperCollision).
 */
function asSeen(construction: Construction, rules: readonly RuleResult[]): Construction {
  // An exception is a reason to differ, but none that finalized stages or totals may change.
  const broken = rules.filter((one) => one.verdict === "broken" || (/^P[24]$/.test(one.rule) && one.broken.length > 0));
  const names = broken.map(({ rule }) => rule).join(", ");
  if (names === "") return construction;
  return { ...construction, holds: false, toRead: [`what broke ${names}`, ...construction.toRead] };
}

/** Returns a line for each rule, what was seen where one does not hold, and what the run does not cover. */
export function reportLines(
  report: ConformanceReport,
  paint: (style: "red" | "green", text: string) => string,
): readonly string[] {
  const { exceptions, rules, gas, results, seed, seconds, warnings, sha256, isPublished } = report;
  const { construction } = report;
  const ofRules: string[] = [];
  for (const { rule, verdict, scenarios, broken } of rules) {
    const mark = verdict === "broken" ? paint("red", "✗") : verdict === "untried" ? "?" : paint("green", "✓");
    const reason = exceptions.get(rule);
    const note = reason === undefined ? "" : `  excepted: ${reason}`;
    const untried = results.filter((result) => result.verdict === "untried" && result.rules.includes(rule)).length;
    const failed = broken.length === 0 ? "" : `, ${broken.length} broken`;
    const notTried = untried === 0 ? "" : `, ${untried} not tried`;
    ofRules.push(`${mark} ${rule.padEnd(3)}  ${count(scenarios, "scenario")}${failed}${notTried}${note}`);
  }
  const costs = gas && `gas per row: ${group(gas.contract)}, reference contract ${group(gas.reference)}`;
  const kept = results.filter(({ verdict }) => verdict === "kept").length;
  const identity = isPublished ? "identical to vipscore's own contract" : "not vipscore's own contract";
  return [
    ...ofRules,
    ...causeLines(results.filter(({ verdict }) => verdict !== "kept")),
    ...(costs === undefined ? [] : [costs]),
    ...(construction === undefined ? [] : constructionLines(construction)),
    ...warnings,
    `${identity}, sha256 ${sha256}`,
    `${kept} of ${count(results.length, "scenario")} kept, seed ${seed}, ${seconds} s`,
  ];
}

/** Returns the scenarios that were not kept, those with one cause together, and what the first of them saw. */
function causeLines(broken: readonly ScenarioResult[]): readonly string[] {
  const causes = new Map<string, string[]>();
  for (const result of broken) {
    const { id, rules, name, seen } = result;
    const cause = causeOf(result);
    // Before what the first one saw.
    const lines = causes.get(cause) ?? [`    ${seen}`];
    lines.splice(-1, 0, `  ${id} (${rules.join(", ")}): ${name}`);
    causes.set(cause, lines);
  }
  return [...causes.values()].flat();
}

/** What the contract or its chain gave as the reason, without what differs between calls: the arguments of a custom error. */
function causeOf({ seen }: ScenarioResult): string {
  const [, , details = seen] = /, saw .*\bdetails: (['"`])(.+)\1/.exec(seen) ?? [];
  return details.replaceAll(/\b(0x[0-9a-f]{8})[0-9a-f]+/g, "$1").replace(/^(\w+)\(.*\)$/, "$1");
}

function constructionLines({ holds, restsOn, toRead }: Construction): readonly string[] {
  const found = restsOn.map((line) => `  ${line}`);
  if (holds) {
    const claim = "by construction: finalized stages do not change, and totals are the sums of rows.";
    return [`${claim} Only vipscore's code writes its state:`, ...found];
  }
  return [
    "nothing follows by construction; a person must read:",
    ...toRead.map((line) => `  ${line}`),
    ...(found.length === 0 ? [] : ["found besides:", ...found]),
  ];
}

/** Returns the same for programs. */
export function reportJson(report: ConformanceReport): object {
  const { seed, seconds, sha256, isPublished, gas, exceptions, rules, results, warnings } = report;
  return {
    seed,
    seconds,
    sha256,
    isPublished,
    gasPerRow: gas ?? null,
    exceptions: Object.fromEntries(exceptions),
    rules: rules.map(({ rule, verdict, scenarios, broken }) => {
      return { rule, verdict, scenarios, broken: broken.map(({ id }) => id) };
    }),
    scenarios: results,
    warnings,
    construction: report.construction ?? null,
  };
}
