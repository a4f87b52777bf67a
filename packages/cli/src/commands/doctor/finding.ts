import type { FindingState } from "../../output/table.ts";

/** Every check of `doctor`, in the order in which they are shown. */
export const checkNames = [
  "rollup",
  "versions",
  "second-endpoint",
  "contract",
  "control",
  "l1",
  "first-stage",
  "registration",
  "proposals",
  "open-stage",
  "totals",
  "signer",
  "balance",
  "snapshot",
  "rewards",
  "claims",
] as const;

export type CheckName = (typeof checkNames)[number];

/** One finding of a check, which may find several things. */
export interface Finding {
  readonly check: CheckName;
  readonly state: FindingState;
  /** The finding, for people. */
  readonly text: string;
  /** Steps to fix it: commands, or a sentence. */
  readonly fix: readonly string[];
}

export function ok(check: CheckName, text: string): Finding {
  return { check, state: "ok", text, fix: [] };
}

export function action(check: CheckName, text: string, ...fix: readonly string[]): Finding {
  return { check, state: "action", text, fix };
}

export function warning(check: CheckName, text: string, ...fix: readonly string[]): Finding {
  return { check, state: "warning", text, fix };
}

export function skipped(check: CheckName, text: string, ...fix: readonly string[]): Finding {
  return { check, state: "skipped", text, fix };
}
