import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { until } from "@vipscore/testkit/until";
import { killChildren, startCli, type Child } from "./childCli.ts";
import { csvOf, startTestChain, type CliResult, type TestChain } from "./harness.ts";
import { TestClock } from "./watchHarness.ts";

let chain: TestChain;
beforeEach(async () => {
  // Blocks are made only on request, so that a command is still running when the next one starts.
  chain = await startTestChain({ blockTimeMs: 3_600_000 });
  const deploying = startCli(["deploy", "--init-stage", "1", "--member", testAccounts.operator.address], chain.cwd);
  await mineUntilEnd(deploying);
  await chain.write("scores.csv", csvOf(3));
});
afterEach(async () => {
  await killChildren();
  await chain[Symbol.asyncDispose]();
});

/** Time that a command waits for another one, which it reports. */
const waitingTime = "10 seconds";

const pushing = ["push", "scores.csv", "--stage", "1"];

/** Makes blocks until a command ends. Returns its status. */
async function mineUntilEnd({ process: child, ended }: Child): Promise<number | null> {
  await until("the end of the command", async () => {
    await chain.rpc("evm_mine");
    return child.exitCode !== null || child.signalCode !== null;
  });
  return ended;
}

/** Starts a push and waits until its transaction is pending. */
async function startPendingPush(): Promise<Child> {
  const sent = await chain.transactionsSent();
  const child = startCli(pushing, chain.cwd);
  await until("the push's transaction", async () => (await chain.transactionsSent()) > sent);
  return child;
}

async function locks(): Promise<readonly string[]> {
  return (await readdir(join(chain.cwd, ".vipscore", "journal"))).filter((name) => name.includes("lock"));
}

/** Starts a push in this process that waits for another command; its time passes when `finish` is called. */
async function startWaiting() {
  const clock = new TestClock();
  let stderr = "";
  const ended = chain.cli(pushing, { clock, onError: (text) => (stderr += text) });
  let isOver = false;
  void ended.finally(() => (isOver = true));
  await until("the push to wait", () => stderr.includes(waitingTime));
  const finish = async (): Promise<CliResult> => {
    await until("the end of the push", () => {
      clock.advance(250);
      return isOver;
    });
    return ended;
  };
  return { finish };
}

test("a second push waits for the first, reports it, and sends nothing twice", async () => {
  const first = await startPendingPush();
  const sent = await chain.transactionsSent();
  const second = await startWaiting();
  expect(await locks()).toHaveLength(1);
  expect(await mineUntilEnd(first)).toBe(0);
  expect(await second.finish()).toMatchObject({ status: 0 });
  expect(await chain.transactionsSent()).toBe(sent);
  expect(await locks()).toEqual([]);
});

test("if it does not end, push, finalize and watch exit with PUSH_RUNNING, status 3; another signer is not blocked", async () => {
  await startPendingPush();
  const sent = await chain.transactionsSent();
  const others = [
    startCli([...pushing, "--json"], chain.cwd),
    startCli(["watch", "scores.csv", "--stage", "1", "--json"], chain.cwd),
    startCli(["finalize", "--stage", "1", "--file", "scores.csv", "--yes", "--json"], chain.cwd),
  ];
  for (const other of others) {
    expect(await other.ended).toBe(3);
    expect(JSON.parse(other.output.stdout)).toMatchObject({ error: { code: "PUSH_RUNNING", exit: 3 } });
  }
  expect(await chain.transactionsSent()).toBe(sent);
  const operator = startCli(pushing, chain.cwd, { PRIVATE_KEY: testAccounts.operator.privateKey });
  await until("the other signer's transaction", async () => (await chain.transactionsSent()) > sent);
  expect(operator.output.stderr).not.toContain(waitingTime);
});

test("a watch holds the lock during a round, and not between rounds", async () => {
  const sent = await chain.transactionsSent();
  const watching = startCli(["watch", "scores.csv", "--stage", "1", "--json"], chain.cwd);
  await until("the watch's transaction", async () => (await chain.transactionsSent()) > sent);
  const waiting = await startWaiting();
  await until("round 1", async () => {
    await chain.rpc("evm_mine");
    return watching.output.stdout.includes('"outcome":"ok"');
  });
  expect(await waiting.finish()).toMatchObject({ status: 0 });
  expect(watching.process.exitCode).toBeNull();
});

test("the lock of a killed push blocks nobody; a wait can be interrupted", async () => {
  const first = await startPendingPush();
  const interruption = new AbortController();
  const onError = (text: string): void => {
    if (text.includes(waitingTime)) interruption.abort();
  };
  const second = chain.cli(pushing, { clock: new TestClock(), signal: interruption.signal, onError });
  expect(await second).toMatchObject({ status: 130 });
  first.process.kill("SIGKILL");
  await first.ended;
  const third = startCli(pushing, chain.cwd);
  expect(await mineUntilEnd(third)).toBe(0);
  expect(third.output.stderr).not.toContain(waitingTime);
  expect(await locks()).toEqual([]);
});

test("a lock that cannot be written: the error names its folder and the option", async () => {
  const args = ["push", "scores.csv", "--stage", "1", "--journal", "scores.csv/journal.jsonl", "--json"];
  const refused = await chain.cli(args);
  expect(refused.json()["error"]).toMatchObject({
    code: "FILE_UNWRITABLE",
    hints: expect.arrayContaining([expect.stringMatching(/\bscores\.csv,.*--journal\b/)]) as string[],
  });
});
