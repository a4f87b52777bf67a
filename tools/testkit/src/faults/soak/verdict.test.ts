import { describe, expect, test } from "vitest";
import { judge, type Evidence, type JudgedPush } from "./verdict.ts";

const good: JudgedPush = {
  status: 0,
  signal: null,
  code: undefined,
  stderr: "",
  hung: false,
  agrees: true,
  otherWrites: 0,
  heights: undefined,
};
const evidence: Evidence = {
  first: good,
  again: undefined,
  stop: undefined,
  faults: {},
  hasOthers: false,
  rewritten: 0,
};
const kill = { signal: "SIGKILL", at: 3, of: "request" } as const;
const interrupt = { signal: "SIGINT", at: 3, of: "request" } as const;

function ended(status: number, code: string): JudgedPush {
  return { ...good, status, code, agrees: false };
}
const killed: JudgedPush = { ...good, status: null, signal: "SIGKILL", agrees: false };

describe("the verdict of a run", () => {
  test.each<[string, Evidence, string]>([
    ["success and an equal chain", evidence, "done"],
    ["a kill and a good second push", { ...evidence, first: killed, again: good, stop: kill }, "stopped"],
    ["an interruption", { ...evidence, first: ended(130, "INTERRUPTED"), again: good, stop: interrupt }, "stopped"],
    [
      "a matching code",
      { ...evidence, first: ended(4, "NODE_UNREACHABLE"), again: good, faults: { reset: 4 } },
      "gaveUp",
    ],
    ["others", { ...evidence, hasOthers: true, first: ended(3, "OTHERS_WROTE"), again: good }, "gaveUp"],
    [
      "a difference that others wrote",
      { ...evidence, hasOthers: true, first: ended(3, "VERIFY_MISMATCH"), again: good },
      "gaveUp",
    ],
  ])("%s", (_title, given, outcome) => {
    expect(judge(given)).toMatchObject({ outcome, reason: null });
  });

  test.each<[string, Evidence]>([
    ["success although the chain differs", { ...evidence, first: { ...good, agrees: false } }],
    ["success that does not mention others", { ...evidence, hasOthers: true, first: { ...good, otherWrites: 1 } }],
    [
      "others, and a chain that differs",
      {
        ...evidence,
        hasOthers: true,
        first: { ...ended(3, "OTHERS_WROTE"), heights: { planned: 1n, verified: 2n } },
        again: good,
      },
    ],
    ["others without another member", { ...evidence, first: ended(3, "OTHERS_WROTE"), again: good }],
    ["a hang", { ...evidence, first: { ...killed, hung: true }, again: good }],
    [
      "a code that never matches",
      { ...evidence, first: ended(3, "VERIFY_MISMATCH"), again: good, faults: { reset: 4 } },
    ],
    [
      "a code that matches other faults",
      { ...evidence, first: ended(4, "NODE_BEHIND"), again: good, faults: { delay: 1 } },
    ],
    ["a status that is not the code's", { ...evidence, first: ended(3, "NODE_ERROR"), again: good }],
    ["no code", { ...evidence, first: { ...good, status: 1, agrees: false }, again: good, faults: { reset: 1 } }],
    ["an unrequested interruption", { ...evidence, first: ended(130, "INTERRUPTED"), again: good }],
    ["an unrequested kill", { ...evidence, first: killed, again: good }],
    ["a second push that fails", { ...evidence, first: killed, stop: kill, again: ended(4, "NODE_UNREACHABLE") }],
    [
      "a second push that leaves another chain",
      { ...evidence, first: killed, stop: kill, again: { ...good, agrees: false } },
    ],
    ["rows written twice without a transaction in doubt", { ...evidence, rewritten: 1 }],
  ])("%s is WRONG", (_title, given) => {
    expect(judge(given)).toMatchObject({ outcome: "WRONG", reason: expect.any(String) as string });
  });
});
