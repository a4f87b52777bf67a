import { expect, test } from "vitest";
import { classifyRefusal, classifyText, expectedSequence, type RefusalKind } from "./refusals.ts";

test.each<[number, RefusalKind]>([
  [4, "other"],
  [5, "funds"],
  [9, "funds"],
  [11, "other"],
  [13, "fee"],
  [18, "other"],
  [19, "known"],
  [20, "other"],
  [21, "too-large"],
  [32, "sequence"],
  [41, "too-large"],
])("code %i of the SDK: %s", (code, kind) => {
  expect(classifyRefusal({ codespace: "sdk", code, log: "" })).toBe(kind);
});

test("a code of another codespace is judged by its text", () => {
  expect(classifyRefusal({ codespace: "move", code: 32, log: "no such module" })).toBe("other");
  expect(classifyRefusal({ codespace: "undefined", code: 1, log: "tx already exists in cache" })).toBe("known");
});

test("code 19 with another transaction's text means that the sequence is taken", () => {
  // recorded on minimove
  const log =
    "active tx with nonce 48 for sender init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq has priority 1 >= replacement priority 1: tx already in mempool";
  expect(classifyRefusal({ codespace: "sdk", code: 19, log })).toBe("sequence");
  expect(expectedSequence(log)).toBe(49n);
  expect(classifyRefusal({ codespace: "sdk", code: 19, log: "tx already exists in cache" })).toBe("known");
});

test.each<[string, RefusalKind | undefined]>([
  ["tx too large. Max size is 1048576, but got 2048000", "too-large"],
  ["http: request body too large", "too-large"],
  ["Request Entity Too Large", "too-large"],
  ["tx already exists in cache", "known"],
  ["account sequence mismatch, expected 7, got 6: incorrect account sequence", "sequence"],
  ["signature verification failed", "other"],
  ["mempool is full: number of txs 5000 (max: 5000)", "other"],
  ["insufficient fees; got: 0umin required: 1umin: insufficient fee", "fee"],
  ["Internal error", undefined],
  ["EOF", undefined],
])("%s: %s", (text, kind) => {
  expect(classifyText(text)).toBe(kind);
});

test("the sequence that a node expects is read from its refusal", () => {
  expect(expectedSequence("account sequence mismatch, expected 7, got 6: incorrect account sequence")).toBe(7n);
  // recorded on minimove
  const stale = "tx nonce 1 is stale for sender init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq (expected >= 6)";
  expect(expectedSequence(`${stale}: incorrect account sequence`)).toBe(6n);
  expect(expectedSequence("insufficient fee")).toBeUndefined();
});
