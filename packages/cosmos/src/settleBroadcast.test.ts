import { expect, test } from "vitest";
import { NodeError, type TransactionStatus } from "@vipscore/core";
import { HttpStatusError } from "@vipscore/core/wire";
import { settleBroadcast, type NodeRefusal } from "./settleBroadcast.ts";

const transaction = { hash: "AB", sequence: 3n, gas: 100n, bytes: new Uint8Array() };
const unknown = (): Promise<TransactionStatus> => Promise.resolve({ state: "unknown" });
const included = (): Promise<TransactionStatus> =>
  Promise.resolve({ state: "included", succeeded: true, height: 1n, gasUsed: 1n });

const isNever = (): boolean => false;

/** Returns the outcome of a broadcast: "taken" if the node has the transaction. */
function outcomeOf(answer: Promise<NodeRefusal>, lookUp = unknown, isRefusal = isNever): Promise<unknown> {
  return settleBroadcast(transaction, answer, { isRefusal, lookUp }).then(
    () => "taken",
    (error: unknown) => error,
  );
}

const refused = (refusal: NodeRefusal): Promise<NodeRefusal> => Promise.resolve(refusal);

test("a transaction that the node knows, or that is in a block, was taken", async () => {
  expect(await outcomeOf(refused({ kind: "known", details: "" }))).toBe("taken");
  expect(await outcomeOf(refused({ kind: "sequence", details: "" }), included)).toBe("taken");
});

test("a refusal counts at a node that does not show transactions", async () => {
  const unindexed = (): Promise<TransactionStatus> => Promise.resolve({ state: "unindexed" });
  const refusal = refused({ kind: "sequence", details: "" });
  expect(await outcomeOf(refusal, unindexed)).toMatchObject({ refusal: "sequence" });
});

test("a refusal is of its kind; one of the form asks for another signature", async () => {
  const details = "expected 4, got 3";
  const expected = { name: "BroadcastError", refusal: "sequence", details };
  expect(await outcomeOf(refused({ kind: "sequence", details }))).toMatchObject(expected);
  const form = { kind: "sequence", details: "use extension option /initia.tx.v1.ExtensionOptionQueuedTx" } as const;
  expect(await outcomeOf(refused(form))).toMatchObject({ refusal: "resign" });
});

test.each([
  [
    "a node's text of a known meaning",
    new NodeError("no", { code: "NODE_ERROR", details: "tx too large" }),
    "too-large",
  ],
  ["a body that a proxy does not take", new HttpStatusError("node", 413, "<html>"), "too-large"],
  [
    "a text that asks for the extension",
    new NodeError("no", {
      code: "NODE_UNREACHABLE",
      details: "use extension option /initia.tx.v1.ExtensionOptionQueuedTx",
    }),
    "resign",
  ],
])("%s is a refusal", async (_, error, refusal) => {
  expect(await outcomeOf(Promise.reject(error))).toMatchObject({ refusal });
});

test("an error that the caller knows as a refusal is one", async () => {
  const error = new NodeError("no", { code: "NODE_ERROR", details: "nothing known" });
  expect(await outcomeOf(Promise.reject(error), unknown, () => true)).toMatchObject({ refusal: "other" });
});

test.each([
  ["an unknown text", new NodeError("no", { code: "NODE_ERROR", details: "Internal error" })],
  ["a failed exchange", new NodeError("no", { code: "NODE_UNREACHABLE", details: "socket hang up" })],
  ["a server's error", new HttpStatusError("node", 502, "bad gateway")],
  ["any other error", new Error("a bug")],
])("%s leaves the transaction in doubt", async (_, error) => {
  expect(await outcomeOf(Promise.reject(error))).toBe(error);
});
