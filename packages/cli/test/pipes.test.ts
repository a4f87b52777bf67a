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

/** Every argument and option that takes a file. */
const places = [
  ["score file", ["push", "pipe", "--format", "csv", "--stage", "1", ...elsewhere]],
  ["settings file", ["status", "--config", "pipe", ...elsewhere]],
  ["keystore", ["status", "--keystore", "pipe", ...elsewhere]],
] as const;

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

test.each(places)("a pipe without a writer as %s: one signal ends the command cleanly", async (_name, args) => {
  const child = startCli([...args, "--json"], cwd);
  await hasOpened(child);
  child.process.kill("SIGINT");
  expect(await child.ended).toBe(130);
  expect(JSON.parse(child.output.stdout)).toMatchObject({ error: { code: "INTERRUPTED" } });
});

test("two signals end it immediately", async () => {
  const child = startCli(places[0][1], cwd);
  await hasOpened(child);
  child.process.kill("SIGINT");
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(130);
});

test("reads a writer that opens the pipe later to its end", async () => {
  const child = startCli([...places[0][1], "--json"], cwd);
  await hasOpened(child);
  const writer = await open(join(cwd, "pipe"), "w");
  await writer.write("address,score\nnonsense,1\n");
  await writer.close();
  expect(await child.ended).toBe(2);
  expect(JSON.parse(child.output.stdout)).toMatchObject({ error: { issues: [{ reason: "ADDRESS_INVALID", row: 2 }] } });
});

test.each([
  ["score file", ["push", "/dev/null", "--stage", "1", ...elsewhere], "INPUT_INVALID"],
  ["score file without an end", ["push", "/dev/zero", "--stage", "1", ...elsewhere], "INPUT_INVALID"],
  ["settings file", ["status", "--config", "/dev/null", ...elsewhere], "CONFIG_INVALID"],
  ["settings file without an end", ["status", "--config", "/dev/zero", ...elsewhere], "FILE_UNREADABLE"],
  ["keystore", ["status", "--keystore", "/dev/null", ...elsewhere], "KEY_INVALID"],
])("a device as %s", async (_name, args, code) => {
  const child = startCli([...args, "--json"], cwd);
  expect(await child.ended).toBe(2);
  expect(JSON.parse(child.output.stdout)).toMatchObject({ error: { code, exit: 2 } });
});
