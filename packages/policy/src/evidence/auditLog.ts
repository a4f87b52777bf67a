/** Subject of a part of an audit. */
export type AuditSubject =
  | "signature"
  | "policy"
  | "file"
  | "chain"
  | "window"
  | "source"
  | "scores"
  | "versions"
  | "contract"
  | "second"
  | "finalized"
  | "root"
  | "L1";

/** Status of a subject in an audit; only `differs` means that the scores are not reproduced. */
export type AuditStatus = "same" | "differs" | "warning" | "not checked";

/** One result of an audit. */
export interface AuditFinding {
  readonly subject: AuditSubject;
  readonly status: AuditStatus;
  /** The part that differs, in a few words; only with `differs`. */
  readonly name?: string;
  /** One line for people. */
  readonly text: string;
}

/** Collects what an audit finds, and reports each finding as it comes. */
export class AuditLog {
  readonly #onFinding: (finding: AuditFinding) => void;
  readonly #findings: AuditFinding[] = [];

  constructor(onFinding: (finding: AuditFinding) => void) {
    this.#onFinding = onFinding;
  }

  /** All findings in their order. */
  get findings(): readonly AuditFinding[] {
    return this.#findings;
  }

  /** The names of what differs, each once. */
  get differences(): readonly string[] {
    return [...new Set(this.#findings.flatMap(({ name }) => (name === undefined ? [] : [name])))];
  }

  same(subject: AuditSubject, text: string): void {
    this.#add({ subject, status: "same", text });
  }

  /** @param name What differs, for the last line of the audit: `exclude.csv`, `source trades`. */
  differs(subject: AuditSubject, name: string, text: string): void {
    this.#add({ subject, status: "differs", name, text });
  }

  warn(subject: AuditSubject, text: string): void {
    this.#add({ subject, status: "warning", text });
  }

  notChecked(subject: AuditSubject, text: string): void {
    this.#add({ subject, status: "not checked", text });
  }

  #add(finding: AuditFinding): void {
    this.#findings.push(finding);
    this.#onFinding(finding);
  }
}
