import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { cliCommand, startChild, startCli } from "./childCli.ts";
import { csvOf, startTestChain } from "./harness.ts";

const chain = started(() => startTestChain({ blockTimeMs: 3_600_000 }));

beforeAll(() => chain.write("scores.csv", csvOf(400)));
// A failed test must not leave processes behind.

/** Number of transactions that the deployer has sent. Default: including pending ones. */
async function transactionsSent(block = "pending"): Promise<number> {
  return Number(await chain.rpc("eth_getTransactionCount", [chain.node.accounts[0]?.address, block]));
}

test("the program: help, version, a usage error", async () => {
  const help = startCli(["push", "--help"], chain.cwd);
  expect(await help.ended).toBe(0);
  expect(help.output.stdout).toContain("$ vipscore push scores.csv --stage 12 --dry-run");
  const version = startCli(["--version"], chain.cwd);
  expect(await version.ended).toBe(0);
  expect(version.output.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const mistake = startCli(["push"], chain.cwd);
  expect(await mistake.ended).toBe(2);
  expect(mistake.output.stderr).toContain("[INPUT_INVALID, exit 2]");
  const other = startCli(["claim", "--nonsense"], chain.cwd);
  expect(await other.ended).toBe(2);
  expect(other.output.stderr).toContain("`vipscore claim --help`");
});

test("an older Node ends with one sentence, before it loads what it does not have", async () => {
  const older = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.20.2'}})";
  const child = startChild(
    [process.execPath, "--import", older, fileURLToPath(new URL("../bin/vipscore.js", import.meta.url)), "--version"],
    chain.cwd,
  );
  expect(await child.ended).toBe(2);
  expect(child.output.stderr).toMatch(
    /^vipscore .*\b22\.19\b.*\b20\.20\.2\b[^]*\binstall\b.* \[CONFIG_INVALID, exit 2\]\n$/,
  );
});

test("Ctrl-C ends a push with status 130 and a hint; the next push completes it, writing nothing twice", async () => {
  const deploying = startCli(["deploy", "--init-stage", "1"], chain.cwd);
  await expect.poll(() => transactionsSent()).toBe(1);
  await chain.rpc("evm_mine");
  expect(await deploying.ended).toBe(0);

  const push = ["push", "scores.csv", "--stage", "1", "--journal", "journal.jsonl", "--json"];
  const pushing = startCli(push, chain.cwd);
  await expect.poll(() => transactionsSent()).toBe(2);
  pushing.process.kill("SIGINT");
  expect(await pushing.ended).toBe(130);
  expect(pushing.output.stderr).toContain("[INTERRUPTED, exit 130]");
  expect(JSON.parse(pushing.output.stdout)).toMatchObject({
    error: { code: "INTERRUPTED", exit: 130, hints: [expect.any(String)] },
  });
  expect(await readFile(join(chain.cwd, "journal.jsonl"), "utf8")).toContain('"sent"');

  const again = startCli(push, chain.cwd);
  const mining = setInterval(() => void chain.rpc("evm_mine"), 50);
  expect(await again.ended).toBe(0);
  clearInterval(mining);
  const object = JSON.parse(again.output.stdout) as { plan: { unchanged: number }; transactions: { rows: number }[] };
  expect(object.plan.unchanged).toBeGreaterThan(0);
  expect(object.plan.unchanged + object.transactions.reduce((sum, { rows }) => sum + rows, 0)).toBe(400);
});

test("a second signal ends the command immediately", async () => {
  const deploying = startCli(["deploy", "--init-stage", "1"], chain.cwd);
  const before = await transactionsSent("latest");
  await expect.poll(() => transactionsSent()).toBeGreaterThan(before);
  deploying.process.kill("SIGINT");
  deploying.process.kill("SIGTERM");
  expect(await deploying.ended).toBe(130);
});

test("node: runs until Ctrl-C, other commands find it, nothing is left", async () => {
  const cwd = join(chain.cwd, "node-folder");
  await mkdir(cwd);
  const node = startCli(["node", "--port", "0"], cwd);
  await expect
    .poll(() => node.output.stdout)
    .toMatch(
      /^hardhat .*\bhttp:\/\/127\.0\.0\.1:\d+\b.*\b31337\ndeployer {2}0xc5ea\w+\n {2}key {5}0x[0-9a-f]{64}\noperator /,
    );
  const second = startCli(["node", "--port", "0", "--json"], cwd);
  expect(await second.ended).toBe(2);
  expect(JSON.parse(second.output.stdout)).toMatchObject({ error: { code: "CONFIG_INVALID" } });
  const deployed = startCli(["deploy", "--init-stage", "1", "--json"], cwd);
  expect(await deployed.ended).toBe(0);
  // As bunx passes on what the terminal has sent to both.
  node.process.kill("SIGINT");
  await new Promise(setImmediate);
  node.process.kill("SIGINT");
  expect(await node.ended).toBe(0);
  expect(existsSync(join(cwd, ".vipscore", "node.json"))).toBe(false);
  expect(existsSync(join(cwd, ".vipscore", "deployments.json"))).toBe(true);
});

test("node ends with the shell of `npx`, which a signal has ended", async () => {
  const cwd = join(chain.cwd, "npx-folder");
  await mkdir(cwd);
  const inShell = ["sh", "-c", '"$@"; true', "sh", ...cliCommand, "node", "--port", "0"];
  const shell = startChild(inShell, cwd, { npm_command: "exec" });
  await until("the local node", () => readNodeFile(cwd));
  shell.process.kill("SIGTERM");
  // Both have the pipes of the output, so this is the end of both.
  await shell.ended;
  expect(existsSync(join(cwd, ".vipscore", "node.json"))).toBe(false);
});
