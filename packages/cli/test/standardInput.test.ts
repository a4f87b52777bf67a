import { beforeAll, expect, test } from "vitest";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { cliCommand, startChild, startCli, type Child } from "./childCli.ts";
import { csvOf, startTestChain } from "./harness.ts";

const chain = started(() => startTestChain());
beforeAll(() => chain.deploy());

const pushInput = ["push", "-", "--stage", "1", "--json"];
const jsonOf = ({ output }: Child): unknown => JSON.parse(output.stdout);

test("reads 100,000 rows from standard input", async () => {
  const child = startCli([...pushInput, "--dry-run"], chain.cwd);
  child.process.stdin?.end(csvOf(100_000));
  expect({ status: await child.ended, stderr: child.output.stderr }).toMatchObject({ status: 0 });
  const file = await chain.write("large.csv", csvOf(100_000));
  const ofFile = await chain.ok(["push", file, "--stage", "1", "--dry-run"]);
  expect(jsonOf(child)).toMatchObject({
    file: { ...(ofFile["file"] as object), name: "standard input", rows: 100_000 },
  });
});

test("a program pipes its rows into a push, and into a verification", async () => {
  await chain.write("scores.csv", csvOf(12));
  const pipe = (...args: readonly string[]): Child =>
    startChild(["sh", "-c", 'cat scores.csv | "$@"', "sh", ...cliCommand, ...args], chain.cwd);
  const pushed = pipe(...pushInput);
  expect({ status: await pushed.ended, stderr: pushed.output.stderr }).toMatchObject({ status: 0 });
  expect(jsonOf(pushed)).toMatchObject({ verification: { agrees: true, accounts: 12 } });
  const verified = pipe("verify", "-", "--stage", "1");
  expect(await verified.ended).toBe(0);
  expect(verified.output.stdout).toContain("standard input");
});

test.each([
  ["JSON, which its first character shows", '[{"address":"0x00000000000000000000000000000000000000aa","score":1}]', []],
  ["JSON Lines", '{"address":"0x00000000000000000000000000000000000000aa","score":1}\n', []],
  ["the format that --format names", "0x00000000000000000000000000000000000000aa;1\n", ["--format", "csv"]],
])("%s", async (_, text, more) => {
  const child = startCli([...pushInput, "--dry-run", "--prune", ...more], chain.cwd);
  child.process.stdin?.end(text);
  expect(await child.ended).toBe(0);
  expect(jsonOf(child)).toMatchObject({ file: { rows: 1, total: "1" } });
});

test.each([
  ["nothing", "", "FILE_EMPTY"],
  ["a wrong row", "address,score\nnonsense,1\n", "ADDRESS_INVALID"],
  ["bytes", "\0\0", "FILE_BINARY"],
])("%s is refused", async (_, text, reason) => {
  const child = startCli(pushInput, chain.cwd);
  child.process.stdin?.end(text);
  expect(await child.ended).toBe(2);
  expect(jsonOf(child)).toMatchObject({
    error: { code: "INPUT_INVALID", issues: [{ reason, file: "standard input" }] },
  });
});

test("one signal ends a command that waits for input", async () => {
  const child = startCli(pushInput, chain.cwd);
  const { stdin } = child.process;
  // Far more than a pipe holds, so that all of it is gone only when the command reads.
  stdin?.write(csvOf(20_000));
  await until("the command to read", () => stdin?.writableLength === 0);
  child.process.kill("SIGINT");
  expect(await child.ended).toBe(130);
  expect(jsonOf(child)).toMatchObject({ error: { code: "INTERRUPTED" } });
});
