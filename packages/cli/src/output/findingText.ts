import type { Output, Style } from "./output.ts";

/**
 * State of a check: `ok`; `action`, something has to be done before the next stage ends; `warning`, something to know;
 * `skipped`, not checked.
 */
export type FindingState = "ok" | "action" | "warning" | "skipped";

const marks: Readonly<Record<FindingState, readonly [mark: string, style: Style]>> = {
  ok: ["✓", "green"],
  action: ["✗", "red"],
  warning: ["!", "yellow"],
  skipped: ["-", "dim"],
};

/** Fields of a finding that a line of a checklist needs. */
interface ListedFinding {
  readonly check: string;
  readonly state: FindingState;
  readonly text: string;
  readonly fix: readonly string[];
}

/** Findings as a checklist: a line each, with what to do about it below. */
export function findingLines(output: Output, findings: readonly ListedFinding[]): readonly string[] {
  const width = Math.max(...findings.map(({ check }) => check.length)) + 2;
  return findings.flatMap(({ check, state, text, fix }) => {
    const [mark, style] = marks[state];
    const indent = " ".repeat(width + 2);
    return [`${output.paint(style, mark)} ${check.padEnd(width)}${text}`, ...fix.map((line) => `${indent}→ ${line}`)];
  });
}
