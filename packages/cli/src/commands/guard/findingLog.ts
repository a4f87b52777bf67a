import type { Finding } from "../doctor/findings.ts";

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
   * Takes what a round has found. A check that failed says nothing about what it found before; if it fails for five minutes, that
   * is its finding.
   *
   * @param isOnce True if no later round follows: then a failed check is a finding at once.
   */
  update(found: readonly Required<Finding>[], now: Date, isOnce: boolean): readonly FindingEvent[] {
    const events: FindingEvent[] = [];
    for (const code of new Set([...found.map(({ check }) => check), ...this.#open.keys()])) {
      const findings = found.filter(({ check }) => check === code);
      const failed = findings.some(({ isUnread }) => isUnread);
      const failingSince = failed ? (this.#failing.get(code) ?? now.getTime()) : undefined;
      if (failingSince === undefined) this.#failing.delete(code);
      else this.#failing.set(code, failingSince);
      if (failingSince !== undefined && !isOnce && now.getTime() - failingSince < patienceMs) continue;
      const before = this.#open.get(code);
      const after = merged(code, findings, before?.since ?? now.toISOString());
      if (after === undefined) this.#open.delete(code);
      else this.#open.set(code, after);
      if (after !== undefined && before === undefined) events.push({ event: "begins", finding: after });
      else if (after === undefined && before !== undefined) events.push({ event: "ends", finding: before });
      else if (after !== undefined && before !== undefined && isOther(before, after))
        events.push({ event: "changes", finding: after });
    }
    return events;
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
