import { expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { checkStageToFinalize, checkStageToWrite, initStageWarnings, listStages, type VipStage } from "../src/index.ts";
import { running } from "./vipStages.ts";

const overdue: VipStage = { ...running, time: new Date("2026-12-01T15:00:00Z"), isOverdue: true };
const notStarted: VipStage = { ...running, stage: 0n };
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

test("to write: the running stage and the one before it; an older one with a warning", () => {
  expect(checkStageToWrite(running, stage(12n))).toEqual([]);
  expect(checkStageToWrite(running, stage(11n))).toEqual([]);
  expect(checkStageToWrite(running, stage(10n))).toHaveLength(1);
  expect(checkStageToWrite(running, stage(1n))).toHaveLength(1);
});

test("to write: never a stage ahead of L1, however late L1's agent is", () => {
  for (const current of [running, overdue]) {
    expect(() => checkStageToWrite(current, stage(13n))).toThrowError(code("STAGE_AHEAD"));
  }
  expect(() => checkStageToWrite(notStarted, stage(1n))).toThrowError(code("STAGE_AHEAD"));
  // The contract may start at the stage, so no other one is advised.
  expect(() => checkStageToWrite(running, stage(13n))).toThrowError(/\bstage 13 opens\b/i);
});

test("to finalize: stages that L1 has moved past", () => {
  expect(checkStageToFinalize(running, stage(11n))).toEqual([]);
  expect(checkStageToFinalize(running, stage(1n), { early: true })).toEqual([]);
});

test("to finalize: not the running stage, even past its end, unless early", () => {
  for (const current of [running, overdue]) {
    expect(() => checkStageToFinalize(current, stage(12n))).toThrowError(code("STAGE_RUNNING"));
    expect(checkStageToFinalize(current, stage(12n), { early: true })).toHaveLength(1);
  }
});

test("to finalize: never a stage ahead of L1", () => {
  for (const early of [false, true]) {
    expect(() => checkStageToFinalize(running, stage(13n), { early })).toThrowError(code("STAGE_AHEAD"));
    expect(() => checkStageToFinalize(notStarted, stage(1n), { early })).toThrowError(code("STAGE_AHEAD"));
  }
});

test("a contract's first stage: L1 expects the stage after the running stage, or a later one", () => {
  expect(initStageWarnings(running, stage(13n))).toEqual([]);
  // What the guides say, and one empty stage.
  expect(initStageWarnings(running, stage(12n))).toEqual([]);
  expect(initStageWarnings(running, stage(11n)).join()).toContain("2 stages");
  expect(initStageWarnings(running, stage(1n)).join()).toContain("12 stages");
  expect(initStageWarnings(running, stage(14n)).join()).toMatch(/\bstage 14\b.*\bstage 13\b/);
  expect(initStageWarnings(notStarted, stage(1n))).toEqual([]);
});

test("later stages follow end to start, an interval each", () => {
  expect(listStages(running, 2)).toEqual([
    { stage: 12n, startsAt: running.startsAt, endsAt: running.endsAt, isTentative: false },
    {
      stage: 13n,
      startsAt: running.endsAt,
      endsAt: new Date("2026-12-15T12:00:00Z"),
      isTentative: true,
    },
    {
      stage: 14n,
      startsAt: new Date("2026-12-15T12:00:00Z"),
      endsAt: new Date("2026-12-29T12:00:00Z"),
      isTentative: true,
    },
  ]);
});

test("before the first stage only later ones are listed; the calendar has an end", () => {
  expect(listStages(notStarted, 2).map(({ stage: number }) => number)).toEqual([1n, 2n]);
  expect(listStages({ ...running, intervalSeconds: 2n ** 64n - 1n }, 3)).toHaveLength(1);
  expect(listStages({ ...running, intervalSeconds: 0n }, 3)).toHaveLength(4);
});
