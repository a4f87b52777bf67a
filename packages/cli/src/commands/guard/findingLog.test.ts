import { expect, test } from "vitest";
import type { Finding } from "../doctor/findings.ts";
import { FindingLog } from "./findingLog.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const at = (minutes: number): Date => new Date(start + minutes * 60_000);
const finding = (fields: Partial<Finding>): Required<Finding> => ({
  check: "rewards",
  state: "action",
  text: "holds 1,000",
  fix: [],
  isUnread: false,
  ...fields,
});
const unread = finding({ text: "away", isUnread: true });

/** What each round reports, a round a minute. */
function report(log: FindingLog, rounds: readonly (readonly Required<Finding>[])[], from = 0): readonly string[] {
  return rounds.map((found, minute) =>
    log
      .update(found, at(from + minute), false)
      .map(({ event, finding: { code, severity } }) => `${event} ${code} ${severity}`)
      .join(),
  );
}

test("a finding begins, changes with its words but not its amounts, and ends", () => {
  const rounds = [
    [finding({})],
    [finding({ text: "holds 900" })],
    [finding({ text: "holds 900 of less" })],
    [finding({ state: "warning", text: "holds 900 of less" })],
    [finding({ state: "ok" })],
    [],
  ];
  expect(report(new FindingLog([]), rounds)).toEqual([
    "begins rewards action",
    "",
    "changes rewards action",
    "changes rewards warning",
    "ends rewards warning",
    "",
  ]);
});

test("a check that fails ends nothing, and is a finding after five minutes", () => {
  const log = new FindingLog([]);
  expect(report(log, [[finding({})], [unread], [finding({})], [unread]])).toEqual([
    "begins rewards action",
    "",
    "",
    "",
  ]);
  expect(report(log, [[unread], [unread], [unread], [unread], [unread]], 4)).toEqual([
    "",
    "",
    "",
    "",
    "changes rewards action",
  ]);
  expect(report(log, [[finding({ state: "ok" })]], 9)).toEqual(["ends rewards action"]);
});

test("the only round reports a check that fails", () => {
  const events = new FindingLog([]).update([unread], at(0), true);
  expect(events.map(({ event }) => event)).toEqual(["begins"]);
});

test("what has begun before a restart does not begin again, and ends", () => {
  const first = new FindingLog([]);
  first.update([finding({})], at(0), false);
  const second = new FindingLog(first.open);
  expect(report(second, [[finding({})], [finding({ state: "ok" })]], 1)).toEqual(["", "ends rewards action"]);
});
