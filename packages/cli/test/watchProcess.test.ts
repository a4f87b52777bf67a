import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "@vipscore/testkit/until";
import { startCli, type Child } from "./childCli.ts";
import { csvOf, startTestChain, type JsonObject, type TestChain } from "./harness.ts";

let chain: TestChain;
beforeAll(async () => {
  // Blocks are made only on request, so that a transaction is pending when the signal arrives.
  chain = await startTestChain({ blockTimeMs: 3_600_000 });
  const deploying = startCli(["deploy", "--init-stage", "1"], chain.cwd);
  await until("the deployment", async () => (await chain.transactionsSent()) === 1);
  await chain.rpc("evm_mine");
  await deploying.ended;
});
afterAll(() => chain[Symbol.asyncDispose]());

/** The first object that a watch prints. */
async function firstRound({ output }: Child): Promise<JsonObject> {
  await until("round 1", () => output.stdout.includes("\n"));
  return JSON.parse(output.stdout.split("\n")[0] ?? "") as JsonObject;
}

test("Ctrl-C with a pending transaction leaves it to the next run, which sends nothing twice; SIGTERM between rounds", async () => {
  await chain.write("scores.csv", csvOf(3));
  const watch = ["watch", "scores.csv", "--stage", "1", "--journal", "journal.jsonl", "--json"];
  const watching = startCli(watch, chain.cwd);
  await expect.poll(() => chain.transactionsSent()).toBe(2);
  watching.process.kill("SIGINT");
  expect(await watching.ended).toBe(130);
  expect(watching.output.stderr).toContain("[INTERRUPTED, exit 130]");
  expect(JSON.parse(watching.output.stdout)).toMatchObject({
    error: { code: "INTERRUPTED", exit: 130, hints: [expect.any(String)] },
  });
  expect(await readFile(join(chain.cwd, "journal.jsonl"), "utf8")).toContain('"sent"');

  await chain.rpc("evm_mine");
  const again = startCli(watch, chain.cwd);
  expect(await firstRound(again)).toMatchObject({ outcome: "ok", plan: { unchanged: 3 }, transactions: [] });
  again.process.kill("SIGTERM");
  // So that a service manager does not call it failed.
  expect(await again.ended).toBe(0);
  expect(JSON.parse(again.output.stdout.trimEnd().split("\n").at(-1) ?? "")).toEqual({
    command: "watch",
    ended: "stopped",
    stage: "1",
  });
  expect(await chain.transactionsSent()).toBe(2);
});
