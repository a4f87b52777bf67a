import { beforeAll, expect, test } from "vitest";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { csvOf, startTestChain } from "./harness.ts";

const chain = started(() => startTestChain());
beforeAll(async () => {
  await chain.write("scores.csv", csvOf(3));
  await chain.deploy();
});

test.each([
  [["push", "scores.csv", "--stage", "1"], true],
  [["deploy", "--init-stage", "1"], true],
  [["status"], false],
])("%o, aborted, returns 130, sends nothing, and says so if it could have", async (args, couldSend) => {
  const before = await chain.transactionsSent();
  const aborted = await chain.cli([...args, "--json"], { signal: AbortSignal.abort() });
  expect(aborted.status).toBe(130);
  expect(aborted.json()["error"]).toMatchObject({ code: "INTERRUPTED", exit: 130 });
  expect(/\bnothing\b.*\bsent\b/.test(aborted.stderr)).toBe(couldSend);
  expect(await chain.transactionsSent()).toBe(before);
});

test.each([[["push", "scores.csv", "--stage", "1"]], [["deploy", "--init-stage", "2"]]])(
  "%o, aborted with its first transaction, does not say that it sent nothing, and the next run says what it waits for",
  async (args) => {
    const ended = new AbortController();
    const before = await chain.transactionsSent();
    await chain.rpc("evm_setAutomine", [false]);
    const running = chain.cli(args, { signal: ended.signal });
    await until("the transaction", async () => (await chain.transactionsSent()) > before);
    ended.abort();
    const { status, stderr } = await running;
    await chain.rpc("evm_setAutomine", [true]);
    await chain.rpc("evm_mine");
    expect({ status, stderr }).toEqual({ status: 130, stderr: expect.not.stringMatching(/\bnothing\b/) });
    const next = await chain.cli(["push", "scores.csv", "--stage", "1"]);
    const waiting = /\b1 transaction\b.*\b\d{4}-\d\d-\d\d \d\d:\d\d UTC\b.*\b2 min\b/;
    expect({ status: next.status, waits: waiting.test(next.stderr) }).toEqual({ status: 0, waits: args[0] === "push" });
  },
);
