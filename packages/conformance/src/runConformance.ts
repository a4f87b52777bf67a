import { formatBech32, VipError, type Vm } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import type { Area, Rule, Scenario } from "./scenario.ts";
import { NotTried } from "./scenarios/amounts.ts";
import { done, rowsOf } from "./scenarios/expectations.ts";
import type { Subject } from "./subject.ts";

/** The result of a scenario. */
export interface ScenarioResult {
  readonly id: string;
  readonly name: string;
  readonly area: Area;
  readonly rules: readonly Rule[];
  /** `excepted`: broken, but one of its rules is excepted. `untried`: the contract may refuse what the scenario needs, and does. */
  readonly verdict: "kept" | "broken" | "excepted" | "untried";
  /** What was expected and what was seen, or why it was not tried; empty for a scenario that was kept. */
  readonly seen: string;
  readonly milliseconds: number;
}

export interface RunConformanceOptions {
  readonly scenarios: readonly Scenario[];
  /** Rules that the contract need not keep. Default: none. */
  readonly exceptions?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

/** Accounts as the scenarios hold them: on Wasm a report has them as the chain does. */
const hexAccounts = /\b0x(?:[0-9a-f]{40}|[0-9a-f]{64})\b/g;

/** Longest text in a result, without the end that says what was left out; the chain's own texts may be longer. */
const maxSeen = 4_000;

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
    const fault = await caughtFault(subject.vm, () => run(subject));
    const milliseconds = Math.round(performance.now() - started);
    const isExcepted = rules.some((rule) => exceptions.has(rule));
    const failed = fault?.isTried === false ? "untried" : isExcepted ? "excepted" : "broken";
    yield { id, name, area, rules, verdict: fault ? failed : "kept", seen: fault?.seen ?? "", milliseconds };
  }
}

/** Returns what a scenario saw instead; undefined if the contract behaves as expected. */
async function caughtFault(vm: Vm, run: () => Promise<void>): Promise<{ seen: string; isTried: boolean } | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (VipError.isVipError(error) && error.code === "NODE_UNREACHABLE") throw error;
    const text = error instanceof Error ? error.message : String(error);
    const line = text.replaceAll(/\s+/g, " ").trim();
    const whole = vm === "wasm" ? line.replaceAll(hexAccounts, (account) => formatBech32(account)) : line;
    const more = whole.length - maxSeen;
    const seen = more <= 0 ? whole : `${whole.slice(0, maxSeen)} … and ${count(more, "more character")}`;
    return { seen, isTried: !(error instanceof NotTried) };
  }
}

/** All scenarios of a rule. */
export interface RuleResult {
  readonly rule: Rule;
  /** `untried`: none of its scenarios broke, and some were not tried. */
  readonly verdict: ScenarioResult["verdict"];
  readonly scenarios: number;
  /** The scenarios that broke. */
  readonly broken: readonly ScenarioResult[];
}

/** Sorts results by rule: the program's rules, then those of docs/spec.md. */
export function resultsByRule(results: readonly ScenarioResult[], exceptions: ReadonlySet<string>): RuleResult[] {
  const rules = [...new Set(results.flatMap((result) => result.rules))].sort(byRule);
  return rules.map((rule) => {
    const own = results.filter((result) => result.rules.includes(rule));
    const having = (...verdicts: readonly string[]) => own.filter(({ verdict }) => verdicts.includes(verdict));
    const broken = having("broken", "excepted");
    const untried = having("untried").length > 0 ? "untried" : "kept";
    const verdict = having("broken").length > 0 ? "broken" : exceptions.has(rule) ? "excepted" : untried;
    return { rule, verdict, scenarios: own.length, broken };
  });
}

function byRule(one: Rule, other: Rule): number {
  return one.charCodeAt(0) - other.charCodeAt(0) || Number(one.slice(1)) - Number(other.slice(1));
}

/** Gas of a transaction over its rows. */
export interface GasPerRow {
  readonly contract: bigint;
  /** Of the reference contract, in batches of 500. Source: tools/bench/src/baselines.json. */
  readonly reference: bigint;
}

const rows = 250;

const referenceGas: Readonly<Record<Vm, bigint>> = { evm: 50_963n, move: 4_346n, wasm: 16_329n };

/** Measures a published batch of accounts that the contract does not know. */
export async function measureGas(subject: Subject): Promise<GasPerRow> {
  const contract = await subject.deploy();
  const { gasUsed } = await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: rowsOf(rows) });
  return { contract: gasUsed / BigInt(rows), reference: referenceGas[subject.vm] };
}

/** Formats results as JUnit's XML, with a test case for each scenario; one that is excepted or was not tried is skipped, with the reason. */
export function junitReport(results: readonly ScenarioResult[]): string {
  const failures = results.filter(({ verdict }) => verdict === "broken").length;
  const skipped = results.filter(({ verdict }) => verdict === "excepted" || verdict === "untried").length;
  const cases = results.map(({ id, name, area, rules, verdict, seen, milliseconds }) => {
    const head = `    <testcase classname=${quoted(area)} name=${quoted(`${id} (${rules.join(", ")}): ${name}`)} time="${milliseconds / 1_000}"`;
    if (verdict === "kept") return `${head}/>`;
    const inner = verdict === "broken" ? `<failure message=${quoted(seen)}/>` : `<skipped message=${quoted(seen)}/>`;
    return `${head}>${inner}</testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites><testsuite name="vipscore conform" tests="${results.length}" failures="${failures}" skipped="${skipped}">`,
    ...cases,
    "</testsuite></testsuites>",
    "",
  ].join("\n");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** An attribute's value, without the control characters that XML does not have. */
function quoted(text: string): string {
  const printable = text.replaceAll(/\p{Cc}/gu, " ");
  return `"${printable.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)}"`;
}
