import { expect } from "vitest";
import type { JsonObject } from "./harness.ts";

/** One result of `audit --json`. */
interface Finding {
  readonly subject: string;
  readonly status: string;
  readonly name?: string;
  readonly text: string;
}

export const findingsOf = (report: JsonObject) => report["findings"] as unknown as readonly Finding[];

/** A finding whose text has a value. */
export function finding(subject: string, status: string, value = ""): unknown {
  return expect.objectContaining({ subject, status, text: expect.stringContaining(value) as string });
}

/** Returns the text of an audit about a part that differs. */
export function textOf(report: JsonObject, name: string): string {
  const found = findingsOf(report).filter((one) => one.status === "differs" && one.name === name);
  expect(found).toHaveLength(1);
  return found[0]?.text ?? "";
}
