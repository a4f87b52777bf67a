import type { Finding, Findings } from "../doctor/findings.ts";

/** What needs attention: the findings of one check. */
export interface OpenFinding {
  /** The check's name. */
  readonly code: string;
  readonly severity: "action" | "warning";
  readonly text: string;
  /** Steps to fix it. */
  readonly fix: readonly string[];
  /** When it began, in ISO 8601. */
  readonly since: string;
}

/** A finding that begins, is another than before, or ends. */
export interface FindingEvent {
  readonly event: "begins" | "changes" | "ends";
  readonly finding: OpenFinding;
}

/** How long a check may fail before that is a finding too: nodes and L1 are away for a minute now and then. */
const patienceMs = 5 * 60_000;

/** The findings that have begun and not ended. */
export class FindingLog {
  readonly #open: Map<string, OpenFinding>;
  /** Since when checks have failed, in milliseconds. */
  readonly #failing = new Map<string, number>();

  constructor(open: readonly OpenFinding[]) {
    this.#open = new Map(open.map((finding) => [finding.code, finding]));
  }

  get open(): readonly OpenFinding[] {
    return [...this.#open.values()];
  }

  /**
   * Takes what a round has found. A check that was not made says nothing about what it found before: one that failed, such as on a
   * node that is away, that was skipped without being made, or that needs what another one could not read. If it fails for five
   * minutes, that is a finding too.
   *
   * @param elapsedMs Milliseconds since a fixed moment, by a clock that nobody sets.
   * @param isPatient False if a check that fails is a finding at once. Default: true.
   */
  update(
    { inOrder: found, made }: Pick<Findings, "inOrder" | "made">,
    elapsedMs: number,
    { isPatient = true }: { readonly isPatient?: boolean } = {},
  ): readonly FindingEvent[] {
    const now = new Date().toISOString();
    const events: FindingEvent[] = [];
    for (const code of new Set([...found.map(({ check }) => check), ...this.#open.keys()])) {
      const findings = found.filter(({ check }) => check === code);
      if (this.#isPending(code, findings, elapsedMs, isPatient)) continue;
      const before = this.#open.get(code);
      const after = merged(code, findings, before?.since ?? now);
      const isMade = made.has(code) || findings.length > 0;
      if (after !== undefined) this.#open.set(code, after);
      else if (isMade && findings.every((each) => each.state !== "skipped" || each.isMade)) this.#open.delete(code);
      else continue;
      if (before === undefined && after !== undefined) events.push({ event: "begins", finding: after });
      else if (before !== undefined && after === undefined) events.push({ event: "ends", finding: before });
      else if (before !== undefined && after !== undefined && isOther(before, after))
        events.push({ event: "changes", finding: after });
    }
    return events;
  }

  /** True while a check fails, but not yet for long. */
  #isPending(code: string, findings: readonly Required<Finding>[], now: number, isPatient: boolean): boolean {
    if (!findings.some(({ isUnread }) => isUnread)) {
      this.#failing.delete(code);
      return false;
    }
    const since = this.#failing.get(code) ?? now;
    this.#failing.set(code, since);
    return isPatient && now - since < patienceMs;
  }
}

/** The findings of a check as one; undefined if none needs attention. */
function merged(code: string, findings: readonly Required<Finding>[], since: string): OpenFinding | undefined {
  const bad = findings.filter(({ state }) => state === "action" || state === "warning");
  if (bad.length === 0) return undefined;
  const severity = bad.some(({ state }) => state === "action") ? "action" : "warning";
  const text = bad.map((finding) => finding.text).join("; ");
  return { code, severity, text, fix: bad.flatMap(({ fix }) => fix), since };
}

/** True if more than amounts and times is another: these change with every block. */
function isOther(before: OpenFinding, after: OpenFinding): boolean {
  const words = ({ severity, text }: OpenFinding): string => `${severity} ${text.replace(/\b\d[\d,.]*\b/g, "0")}`;
  return words(before) !== words(after);
}
