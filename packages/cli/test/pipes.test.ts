import { execFileSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { until } from "@vipscore/testkit/until";
import { startCli, type Child } from "./childCli.ts";

let cwd: string;
beforeEach(async () => {
  cwd = temporaryFolder();
  execFileSync("mkfifo", [join(cwd, "pipe")]);
});

const elsewhere = ["--vm", "evm", "--endpoint", "http://127.0.0.1:9", "--contract", `0x${"c1".repeat(20)}`];

const scoresOfPipe = ["push", "pipe", "--format", "csv", "--stage", "1", ...elsewhere];

/** Returns a link's target; undefined if the link no longer exists. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

/** Waits until the command has the pipe open. */
async function hasOpened(child: Child): Promise<void> {
  const descriptors = `/proc/${child.process.pid}/fd`;
  await until("the pipe to be opened", () => {
    if (child.process.exitCode !== null) throw new Error(`ended: ${child.output.stderr}`);
    return readdirSync(descriptors).some((name) => targetOf(join(descriptors, name)) === join(cwd, "pipe"));
  });
}

test("a pipe without a writer as score file: one signal ends the command cleanly", async () => {
  const child = startCli([...scoresOfPipe, "--json"], cwd);
  await hasOpened(child);
  child.process.kill("SIGINT");
  expect(await child.ended).toBe(130);
  expect(JSON.parse(child.output.stdout)).toMatchObject({ error: { code: "INTERRUPTED" } });
});

test("two signals end it immediately", async () => {
  const child = startCli(scoresOfPipe, cwd);
  await hasOpened(child);
  child.process.kill("SIGINT");
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(130);
});

test("reads a writer that opens the pipe later to its end", async () => {
  const child = startCli([...scoresOfPipe, "--json"], cwd);
  await hasOpened(child);
  const writer = await open(join(cwd, "pipe"), "w");
  await writer.write("address,score\nnonsense,1\n");
  await writer.close();
  expect(await child.ended).toBe(2);
  expect(JSON.parse(child.output.stdout)).toMatchObject({ error: { issues: [{ reason: "ADDRESS_INVALID", row: 2 }] } });
});

test.each([
  ["score file", ["push", "/dev/null", "--stage", "1", ...elsewhere]],
  ["score file without an end", ["push", "/dev/zero", "--stage", "1", ...elsewhere]],
  ["settings file", ["status", "--config", "pipe", ...elsewhere]],
  ["settings file without an end", ["status", "--config", "/dev/zero", ...elsewhere]],
  ["keystore", ["status", "--keystore", "pipe", ...elsewhere]],
  ["manifest", ["finalize", "--file", "pipe", "--manifest", "pipe", "--stage", "1", ...elsewhere]],
  ["proof file", ["verify-proof", "pipe"]],
  ["contract to test", ["conform", "--artifact", "/dev/zero"]],
])("a pipe or a device as %s is refused at once", async (_name, args) => {
  const child = startCli([...args, "--json"], cwd);
  expect(await child.ended).toBe(2);
  expect(JSON.parse(child.output.stdout)).toMatchObject({ error: { code: "FILE_UNREADABLE", exit: 2 } });
});
