import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { accepts } from "./accepts.ts";
import { addressOf, csvOf, startTestChain } from "./harness.ts";
import { endWatches, interruptWatch, startWatch, type Watch } from "./watchHarness.ts";

const chain = started(() => startTestChain());
beforeEach(async () => {
  await chain.deploy();
  await chain.write("scores.csv", csvOf(3));
});
afterEach(endWatches);

interface ScriptOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly args?: readonly string[];
}

/** Starts a watch of the output of `node script.mjs --json`. */
async function watchScript(script: string, { env, args = [] }: ScriptOptions = {}): Promise<Watch> {
  await chain.write("script.mjs", script);
  return startWatch(chain.cwd, [...args, "--", process.execPath, "script.mjs", "--json"], env);
}

test("follows a command, which gets the environment without keys, no stdin, and its own arguments", async () => {
  const running = await watchScript(
    `import { readFileSync } from "node:fs";
     const { PRIVATE_KEY, MNEMONIC, KEYSTORE_PASSWORD, API_TOKEN, SEASON } = process.env;
     console.error("got", JSON.stringify({ PRIVATE_KEY, MNEMONIC, KEYSTORE_PASSWORD, API_TOKEN, SEASON }));
     console.error("\\u001b[2Jcleared\\n::error::owned");
     console.error("stdin", JSON.stringify(readFileSync(0, "utf8")), process.argv.slice(2));
     console.log(readFileSync("rows.json", "utf8"));`,
    {
      env: {
        PRIVATE_KEY: testAccounts.deployer.privateKey,
        KEYSTORE_PASSWORD: "not for others",
        API_TOKEN: "neither",
        SEASON: "3",
      },
    },
  );
  expect(await running.round(1)).toMatchObject({ outcome: "failed", error: { code: "FILE_UNREADABLE" } });
  await chain.write("rows.json", JSON.stringify([{ address: addressOf(7), score: "18446744073709551615" }]));
  expect(await running.nextRound()).toMatchObject({
    outcome: "ok",
    file: { name: "node (stdout)", rows: 1, total: "18446744073709551615" },
  });
  expect(running.stderr()).toContain('got {"SEASON":"3"}');
  expect(running.stderr()).toContain(`stdin "" [ '--json' ]`);
  expect(running.stderr()).toContain("\u{FFFD}[2Jcleared\n\\::error::owned\n");
  await running.nextRound();
  expect(running.stderr().match(/2\^53/g)).toHaveLength(1);
  await interruptWatch(running);
});

test("rows of a command that fails, dies, prints too much or nothing are not written", async () => {
  await chain.write("mode", "status");
  const sent = await chain.transactionsSent();
  const running = await watchScript(
    `import { readFileSync } from "node:fs";
     import { once } from "node:events";
     const mode = readFileSync("mode", "utf8");
     if (mode !== "empty") console.log(readFileSync("scores.csv", "utf8"));
     if (mode === "status") process.exitCode = 3;
     if (mode === "signal") process.kill(process.pid, "SIGTERM");
     if (mode === "too much") {
       const blank = " ".repeat(65_000) + "\\n";
       for (;;) if (!process.stdout.write(blank)) await once(process.stdout, "drain");
     }`,
  );
  const failed = (code: string, named: RegExp, more: object = {}) => ({
    outcome: "failed",
    plan: null,
    error: { code, message: expect.stringMatching(named) as string, ...more },
  });
  expect(await running.round(1)).toMatchObject(failed("FILE_UNREADABLE", /^node\b.*\b3$/));
  await chain.write("mode", "signal");
  expect(await running.nextRound()).toMatchObject(failed("FILE_UNREADABLE", /^node\b.*\bSIGTERM$/));
  await chain.write("mode", "too much");
  expect(await running.nextRound()).toMatchObject(failed("INPUT_INVALID", /^node\b.*\b256 MiB$/));
  await chain.write("mode", "empty");
  const issues = [{ reason: "FILE_EMPTY" }];
  expect(await running.nextRound()).toMatchObject(failed("INPUT_INVALID", /^node\b/, { issues }));
  expect(await chain.transactionsSent()).toBe(sent);
  await chain.write("mode", "well");
  expect(await running.nextRound()).toMatchObject({ outcome: "ok", transactions: [{ rows: 3 }] });
  await interruptWatch(running);
});

test("a command that hangs is killed after ten intervals, at least ten minutes, with its child processes", async () => {
  const running = await watchScript(
    `import { spawn } from "node:child_process";
     const listens = "require('node:net').createServer().listen(0, '127.0.0.1', function () { console.error('port', this.address().port) })";
     // The command itself ends; a process that it leaves behind keeps its output open.
     spawn(process.execPath, ["-e", listens], { stdio: "inherit" }).unref();`,
    { args: ["--interval", "2m"] },
  );
  const portOf = async (round: number): Promise<number> => {
    const found = await until("the port", () => [...running.stderr().matchAll(/port (\d+)/g)][round - 1]);
    return Number(found[1]);
  };
  const first = await portOf(1);
  running.clock.advance(19 * 60_000);
  expect(await accepts(first)).toBe(true);
  running.clock.advance(60_000);
  expect(await running.round(1)).toMatchObject({
    outcome: "failed",
    error: { code: "FILE_UNREADABLE", message: expect.stringMatching(/^node\b.*\b20 minutes\b/) as string },
  });
  await until("the end of the port", async () => !(await accepts(first)));
  // The round took longer than the interval, so the next one has begun.
  const second = await portOf(2);
  await interruptWatch(running);
  await until("the end of the port", async () => !(await accepts(second)));
});

test("a program that cannot be started ends the watch at its first round, and fails a later one", async () => {
  const missing = startWatch(chain.cwd, ["--", "./missing.sh"]);
  expect(await missing.status).toBe(2);
  expect(missing.objects()).toMatchObject([
    { error: { code: "FILE_UNREADABLE", message: expect.stringMatching(/^\.\/missing\.sh\b.*\bENOENT\b/) as string } },
  ]);
  const program = join(chain.cwd, await chain.write("score.sh", "#!/bin/sh\ncat scores.csv\n"));
  const unexecutable = startWatch(chain.cwd, ["--", "./score.sh"]);
  expect(await unexecutable.status).toBe(2);
  expect(unexecutable.stderr()).toMatch(/\bEACCES\b[^]*\bchmod \+x \.\/score\.sh\b/);
  await chmod(program, 0o755);
  const running = startWatch(chain.cwd, ["--", "./score.sh"]);
  expect(await running.round(1)).toMatchObject({ outcome: "ok" });
  await rm(program);
  expect(await running.nextRound()).toMatchObject({ outcome: "failed", error: { code: "FILE_UNREADABLE" } });
  await interruptWatch(running);
});
