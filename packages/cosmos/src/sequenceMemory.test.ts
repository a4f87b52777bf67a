import { expect, test } from "vitest";
import { SequenceMemory } from "./sequenceMemory.ts";

test("the sequence of a refusal is used once, and only if it is ahead of the chain's", () => {
  const memory = new SequenceMemory();
  expect(memory.next(3n)).toBe(3n);
  memory.noteRefusal("account sequence mismatch, expected 7, got 3");
  memory.noteRefusal("a text without a sequence");
  expect(memory.next(3n)).toBe(7n);
  expect(memory.next(3n)).toBe(3n);
  memory.noteRefusal("expected 2, got 3");
  expect(memory.next(3n)).toBe(3n);
});
