import { expect, test } from "vitest";
import type { Finding } from "../doctor/findings.ts";
import { FindingLog } from "./findingLog.ts";

const at = (minutes: number): number => minutes * 60_000;
const finding = (fields: Partial<Finding>): Required<Finding> => ({
  check: "rewards",
  state: "action",
  text: "holds 1,000",
  fix: [],
  isUnread: false,
  isMade: false,
  facts: {},
  ...fields,
});
const unread = finding({ text: "away", isUnread: true });

/** The findings of a round in which the check was made, if it did not fail. */
const made = (...inOrder: readonly Required<Finding>[]) => ({
  inOrder,
  made: new Set(inOrder.some(({ isUnread }) => isUnread) ? [] : ["rewards"]),
});
const notMade = { inOrder: [], made: new Set<string>() };

/** What each round reports, a round a minute. */
function report(
  log: FindingLog,
  rounds: readonly (typeof notMade | ReturnType<typeof made>)[],
  from = 0,
): readonly string[] {
  return rounds.map((found, minute) =>
    log
      .update(found, at(from + minute))
      .map(({ event, finding: { code, severity } }) => `${event} ${code} ${severity}`)
      .join(),
  );
}

test("a finding begins, changes with its words but not its amounts, and ends", () => {
  const rounds = [
    made(finding({})),
    made(finding({ text: "holds 900" })),
    made(finding({ text: "holds 900 of less" })),
    made(finding({ state: "warning", text: "holds 900 of less" })),
    made(finding({ state: "ok" })),
    made(),
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
  expect(report(log, [made(finding({})), made(unread), made(finding({})), made(unread)])).toEqual([
    "begins rewards action",
    "",
    "",
    "",
  ]);
  expect(
    report(
      log,
      Array.from({ length: 5 }, () => made(unread)),
      4,
    ),
  ).toEqual(["", "", "", "", "changes rewards action"]);
  expect(report(log, [made(finding({ state: "ok" }))], 9)).toEqual(["ends rewards action"]);
});

test("a check that is not made, or skipped, ends nothing; one that finds nothing does", () => {
  const rounds = [made(finding({})), notMade, made(finding({ state: "skipped" })), made()];
  expect(report(new FindingLog([]), rounds)).toEqual(["begins rewards action", "", "", "ends rewards action"]);
});

test("a check that was made, and had nothing to compare, ends what it found before", () => {
  const rounds = [made(finding({})), made(finding({ state: "skipped", isMade: true }))];
  expect(report(new FindingLog([]), rounds)).toEqual(["begins rewards action", "ends rewards action"]);
});

test("the first round reports a check that fails", () => {
  const events = new FindingLog([]).update(made(unread), at(0), { isPatient: false });
  expect(events.map(({ event }) => event)).toEqual(["begins"]);
});

test("what has begun before a restart does not begin again, and ends", () => {
  const first = new FindingLog([]);
  first.update(made(finding({})), at(0));
  const second = new FindingLog(first.open);
  expect(report(second, [made(finding({})), made(finding({ state: "ok" }))], 1)).toEqual(["", "ends rewards action"]);
});
