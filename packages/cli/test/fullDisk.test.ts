import { readFileSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { cliCommand, startChild, startCli, type Child } from "./childCli.ts";
import { csvOf, startTestChain } from "./harness.ts";

const chain = started(() => startTestChain());
let contract: string;
beforeAll(async () => {
  contract = await chain.deploy();
  await chain.write("scores.csv", csvOf(3));
  await chain.ok(["push", "scores.csv", "--stage", "1"]);
  await chain.write("more.csv", csvOf(300));
  await mkdir(join(chain.cwd, "disk"));
});

/**
 * Starts the command with a full disk mounted at the folder `disk`, visible only to it and removed when it ends.
 *
 * @param steps Shell commands before the disk is filled, and after the command; `run` is the command.
 */
function onFullDisk(args: readonly string[], { before = "", run = '"$@"', after = "" } = {}): Child {
  const script = `mount -t tmpfs -o size=64k tmpfs disk
    ${before}
    cat /dev/zero > disk/filler 2> /dev/null
    ${run}
    status=$?
    ${after}
    exit $status`;
  const shell = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"];
  return startChild([...shell, ...cliCommand, ...args], chain.cwd);
}

/** Lists the disk on stderr, after the command's own output. */
const after = "ls -A disk >&2";

async function refusedWith(child: Child): Promise<unknown> {
  expect({ status: await child.ended, ...child.output }).toMatchObject({ status: 2 });
  return (JSON.parse(child.output.stdout) as { readonly error: unknown }).error;
}

test("a journal that cannot be started: FILE_UNWRITABLE, nothing is sent or left", async () => {
  const sent = await chain.transactionsSent();
  const args = ["push", "more.csv", "--stage", "1", "--journal", "disk/journal.jsonl", "--json"];
  const child = onFullDisk(args, { after });
  expect(await refusedWith(child)).toMatchObject({ code: "FILE_UNWRITABLE", exit: 2 });
  expect(child.output.stderr.trimEnd().split("\n").at(-1)).toBe("filler");
  expect(await chain.transactionsSent()).toBe(sent);
});

test("a journal that can no longer be written: every sent transaction has its line, and the next run continues", async () => {
  // Fills most of the journal's one page on the disk, so that only the first lines fit, and no signed bytes.
  const rows = "a".repeat(3_600);
  const header = JSON.stringify({
    journal: { version: 1, vm: "evm", chainId: "31337", address: contract, stage: "1" },
  });
  await chain.write("filled.jsonl", `${header}\n${JSON.stringify({ run: { digest: "", rows } })}\n`);
  const sent = await chain.transactionsSent();
  const child = onFullDisk(["push", "more.csv", "--stage", "1", "--journal", "disk/filled.jsonl", "--json"], {
    before: "cp filled.jsonl disk/",
    after: "cp disk/filled.jsonl left.jsonl",
  });
  expect(await refusedWith(child)).toMatchObject({ code: "FILE_UNWRITABLE" });
  const left = readFileSync(join(chain.cwd, "left.jsonl"), "utf8");
  expect(left.endsWith("}\n")).toBe(true);
  const noted = left.split("\n").filter((line) => line.startsWith('{"sent"'));
  expect((await chain.transactionsSent()) - sent).toBeLessThanOrEqual(noted.length);
  const again = startCli(["push", "more.csv", "--stage", "1", "--journal", "left.jsonl", "--json"], chain.cwd);
  expect({ status: await again.ended, ...again.output }).toMatchObject({ status: 0 });
});

test("a file of export or score that does not fit: FILE_UNWRITABLE, no partial file", async () => {
  const child = onFullDisk(["export", "--stage", "1", "--out", "disk/out.csv", "--json"], { after });
  expect(await refusedWith(child)).toMatchObject({ code: "FILE_UNWRITABLE" });
  expect(child.output.stderr.trimEnd().split("\n").at(-1)).toBe("filler");
});

test("a deployment that cannot be recorded: FILE_UNWRITABLE, nothing is sent", async () => {
  const sent = await chain.transactionsSent();
  const deploy = ["deploy", "--init-stage", "1", "--endpoint", chain.node.rpcUrl, "--json"];
  const child = onFullDisk(deploy, {
    before: `mkdir disk/.vipscore && export PRIVATE_KEY=${testAccounts.deployer.privateKey}`,
    run: 'cd disk && "$@"',
  });
  expect(await refusedWith(child)).toMatchObject({ code: "FILE_UNWRITABLE", exit: 2 });
  expect(await chain.transactionsSent()).toBe(sent);
});

test("standard output on a full disk: FILE_UNWRITABLE, also for the last write", async () => {
  for (const args of [
    ["export", "--stage", "1"],
    ["status", "--json"],
  ]) {
    const child = startChild(["sh", "-c", '"$@" > /dev/full', "sh", ...cliCommand, ...args], chain.cwd);
    expect(await child.ended).toBe(2);
    expect(child.output.stderr).toContain("[FILE_UNWRITABLE, exit 2]");
  }
});

test("standard error on a full disk stops nothing", async () => {
  const child = startChild(["sh", "-c", '"$@" 2> /dev/full', "sh", ...cliCommand, "status", "--json"], chain.cwd);
  expect(await child.ended).toBe(0);
  expect(JSON.parse(child.output.stdout)).toMatchObject({ command: "status" });
});

test("a journal that is a device: FILE_UNREADABLE, and no file is left next to it", async () => {
  const before = await readdir("/dev");
  const result = await chain.cli(["push", "more.csv", "--stage", "1", "--journal", "/dev/null", "--json"]);
  expect(result.json()["error"]).toMatchObject({ code: "FILE_UNREADABLE", exit: 2 });
  expect(await readdir("/dev")).toEqual(before);
});

test("a journal that is another file: JOURNAL_INVALID, the file is unchanged", async () => {
  const keystore = '{"version":3,"crypto":{"cipher":"aes-128-ctr"}}';
  await chain.write("keystore.json", keystore);
  const result = await chain.cli(["push", "more.csv", "--stage", "1", "--journal", "keystore.json", "--json"]);
  expect(result.json()["error"]).toMatchObject({ code: "JOURNAL_INVALID", exit: 3 });
  expect(readFileSync(join(chain.cwd, "keystore.json"), "utf8")).toBe(keystore);
  expect((await readdir(chain.cwd)).filter((name) => name.endsWith(".lock"))).toEqual([]);
  await rm(join(chain.cwd, "keystore.json"));
});
