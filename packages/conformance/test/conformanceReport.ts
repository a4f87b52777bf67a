import type { ConformanceMeta } from "./runScenarios.ts";

/** The result of a scenario on a node. */
export interface ScenarioResult extends ConformanceMeta {
  readonly passed: boolean;
}

/** A scenario with its result on every node. */
interface ReportRow extends Omit<ConformanceMeta, "node"> {
  readonly passed: Readonly<Record<string, boolean>>;
}

/** The table scenario × node. */
export interface ConformanceReport {
  readonly nodes: readonly string[];
  readonly scenarios: readonly ReportRow[];
  /** True if every scenario passed on every node. */
  readonly allPassed: boolean;
}

/** Sorts results into a table, in order of arrival. A scenario that a node did not report has failed there. */
export function conformanceReport(results: readonly ScenarioResult[]): ConformanceReport {
  const nodes = [...new Set(results.map(({ node }) => node))];
  const rows = new Map<string, ReportRow & { passed: Record<string, boolean> }>();
  for (const { node, passed, id, name, area, rules, reference, differences } of results) {
    const scenario = { id, name, area, rules, reference, differences };
    const row = rows.get(scenario.id) ?? { ...scenario, passed: Object.fromEntries(nodes.map((one) => [one, false])) };
    row.passed[node] = passed;
    rows.set(scenario.id, row);
  }
  const scenarios = [...rows.values()];
  const allPassed = scenarios.length > 0 && scenarios.every(({ passed }) => nodes.every((node) => passed[node]));
  return { nodes, scenarios, allPassed };
}

/** Formats the report as a terminal table, one line per scenario. */
export function terminalTable({ nodes, scenarios, allPassed }: ConformanceReport): string {
  const width = Math.max(...scenarios.map(({ id }) => id.length), 8);
  const lines = [["scenario".padEnd(width), ...nodes].join("  ")];
  for (const { id, passed } of scenarios) {
    const marks = nodes.map((node) => (passed[node] === true ? "✓" : "✗").padEnd(node.length));
    lines.push([id.padEnd(width), ...marks].join("  ").trimEnd());
  }
  const verdict = allPassed ? "all passed" : "NOT all passed";
  lines.push(`${scenarios.length} scenarios on ${nodes.length} nodes: ${verdict}`);
  return lines.join("\n");
}

/** Formats the report as Markdown: the table by area, then the differences of VMs and the behavior of the reference contracts. */
export function markdownReport({ nodes, scenarios, allPassed }: ConformanceReport): string {
  const head = `| scenario | rules | ${nodes.join(" | ")} |\n| --- | --- |${" --- |".repeat(nodes.length)}`;
  const areas = [...new Set(scenarios.map(({ area }) => area))];
  const tables = areas.map((area) => {
    const rows = scenarios.filter((scenario) => scenario.area === area);
    const lines = rows.map(({ name, rules, passed }) => {
      const marks = nodes.map((node) => (passed[node] === true ? "✓" : "✗"));
      return `| ${name} | ${rules.join(", ")} | ${marks.join(" | ")} |`;
    });
    return `## ${area}\n\n${[head, ...lines].join("\n")}`;
  });
  const differences = scenarios.flatMap(({ id, differences: some }) =>
    some.map(({ vm, rule, what }) => `- \`${id}\`, ${vm} (${rule}): ${what}`),
  );
  const reference = scenarios.flatMap(({ id, reference: fault }) =>
    fault === undefined ? [] : [`- \`${id}\`: ${fault}`],
  );
  return [
    "# Conformance",
    `${scenarios.length} scenarios on ${nodes.length} nodes: ${allPassed ? "all passed" : "**not all passed**"}.`,
    ...tables,
    `## Where VMs differ\n\n${differences.join("\n")}`,
    `## What the reference contracts do instead\n\n${reference.join("\n")}`,
    "",
  ].join("\n\n");
}
