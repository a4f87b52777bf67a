import { expect, test } from "vitest";
import { l1StageText } from "./openL1.ts";

const time = new Date("2026-12-01T12:00:00Z");
const stageAt = (stage: bigint, endsAt: string): Parameters<typeof l1StageText>[0] => {
  const end = new Date(endsAt);
  return { stage, endsAt: end, time, isOverdue: stage > 0n && end < time };
};

test.each([
  [12n, "2026-12-01T12:00:04Z", "ends in 4 s"],
  [12n, "2026-12-01T11:59:56Z", "was due to end 4 s ago"],
  [0n, "2026-12-01T12:00:04Z", "starts in 4 s"],
  [0n, "2026-12-01T11:59:56Z", "was due to start 4 s ago"],
])("stage %s, due at %s: %s", (stage, endsAt, text) => {
  expect(l1StageText(stageAt(stage, endsAt))).toContain(text);
});
