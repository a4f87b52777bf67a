import { VipError } from "@vipscore/core";
import type { Area, Rule, Scenario } from "./scenario.ts";
import type { Subject } from "./subject.ts";

/** The result of a scenario. */
export interface ScenarioResult {
  readonly id: string;
  readonly name: string;
  readonly area: Area;
  readonly rules: readonly Rule[];
  /** `excepted`: broken, but one of its rules is excepted. */
  readonly verdict: "kept" | "broken" | "excepted";
  /** What was expected and what was seen; empty for a scenario that was kept. */
  readonly seen: string;
  readonly milliseconds: number;
}

export interface RunConformanceOptions {
  readonly scenarios: readonly Scenario[];
  /** Rules that the contract need not keep. Default: none. */
  readonly exceptions?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

/** Longest text in a result; the chain's own texts may be longer. */
const maxSeen = 600;

/**
 * Runs scenarios one after the other, and yields each result.
 *
 * @throws NODE_UNREACHABLE if the chain no longer answers; the signal's reason when aborted.
 */
export async function* runConformance(
  subject: Subject,
  { scenarios, exceptions = new Set(), signal }: RunConformanceOptions,
): AsyncGenerator<ScenarioResult> {
  for (const { id, name, area, rules, run } of scenarios) {
    signal?.throwIfAborted();
    const started = performance.now();
    const seen = await faultOf(() => run(subject));
    const milliseconds = Math.round(performance.now() - started);
    const isExcepted = rules.some((rule) => exceptions.has(rule));
    const verdict = seen === undefined ? "kept" : isExcepted ? "excepted" : "broken";
    yield { id, name, area, rules, verdict, seen: seen ?? "", milliseconds };
  }
}

/** Returns what a scenario saw instead; undefined if the contract behaves as expected. */
async function faultOf(run: () => Promise<void>): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (VipError.isVipError(error) && error.code === "NODE_UNREACHABLE") throw error;
    const text = error instanceof Error ? error.message : String(error);
    return text.replaceAll(/\s+/g, " ").trim().slice(0, maxSeen);
  }
}

/** All scenarios of a rule. */
export interface RuleResult {
  readonly rule: Rule;
  readonly verdict: "kept" | "broken" | "excepted";
  readonly scenarios: number;
  /** The scenarios that were not kept. */
  readonly broken: readonly ScenarioResult[];
}

/** Sorts results by rule: the program's rules, then those of docs/spec.md. */
export function resultsByRule(results: readonly ScenarioResult[], exceptions: ReadonlySet<string>): RuleResult[] {
  const rules = [...new Set(results.flatMap((result) => result.rules))].sort(byRule);
  return rules.map((rule) => {
    const own = results.filter((result) => result.rules.includes(rule));
    const broken = own.filter(({ verdict }) => verdict !== "kept");
    const isBroken = broken.some(({ verdict }) => verdict === "broken");
    const verdict = isBroken ? "broken" : exceptions.has(rule) ? "excepted" : "kept";
    return { rule, verdict, scenarios: own.length, broken };
  });
}

function byRule(one: Rule, other: Rule): number {
  return one.charCodeAt(0) - other.charCodeAt(0) || Number(one.slice(1)) - Number(other.slice(1));
}
