import { expect, test } from "vitest";
import { isFormRefusal, MempoolMemory, queuedTxTypeUrl, SequenceMemory } from "./transactionSigner.ts";

const plain = { bytes: Buffer.from("a message") };
const queued = { bytes: Buffer.from(`a message ${queuedTxTypeUrl}`) };

// recorded on minimove and miniwasm of initia v1.4
const asks =
  "account sequence mismatch, expected 42, got 43; use extension option /initia.tx.v1.ExtensionOptionQueuedTx for queued tx: incorrect account sequence";
const refusals = [
  // recorded on minievm v1.2.18 and minimove v1.1.11
  "recovered in checktx wrapper: runtime error: index out of range [0] with length 0: panic",
  "runtime error: index out of range [0] with length 0",
  // Cosmos SDK 0.50
  "unknown extension options",
  "unable to resolve type URL /initia.tx.v1.ExtensionOptionQueuedTx: tx parse error",
];

test("transactions are plain until a node asks for the extension, and again after a node refuses it", () => {
  const memory = new MempoolMemory();
  expect(memory.isQueued).toBe(false);
  memory.noteRefusal(plain, asks);
  expect(memory.isQueued).toBe(true);
  memory.noteRefusal(queued, refusals[0] ?? "");
  expect(memory.isQueued).toBe(false);
});

test.each(refusals)("an extension is refused with: %s", (text) => {
  expect(isFormRefusal(queued, text)).toBe(true);
  expect(isFormRefusal(plain, text)).toBe(false);
});

test("a transaction without another form is never refused for its form", () => {
  const only = { ...plain, hasOtherForm: false };
  expect(isFormRefusal(only, asks)).toBe(false);
  const memory = new MempoolMemory();
  memory.noteRefusal(only, asks);
  expect(memory.isQueued).toBe(false);
});

test("a refusal counts only for the form of the refused transaction", () => {
  const memory = new MempoolMemory();
  memory.noteRefusal(queued, asks);
  memory.noteRefusal(plain, "account sequence mismatch, expected 7, got 6: incorrect account sequence");
  expect(memory.isQueued).toBe(false);
});

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
