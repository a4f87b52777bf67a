import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { until } from "@vipscore/testkit/until";
import { installCommand } from "./installation.ts";

const cwd = temporaryFolder();
const without = started(() => installCommand());
const installed = started(() => installCommand());
beforeAll(async () => {
  const folder = join(installed.modules, "@vipscore/demo");
  await mkdir(folder);
  const manifest = { name: "@vipscore/demo", type: "module", bin: { "vipscore-demo": "./bin/demo.js" } };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "bin/demo.js"), program);
});

/** Shows what it was started with; with `--wait`, waits for a signal. */
const program = `
process.on("SIGTERM", () => process.exit(5));
console.log(JSON.stringify({ args: process.argv.slice(2), key: process.env.PRIVATE_KEY, home: process.env.HOME }));
if (process.argv.includes("--wait")) setInterval(() => undefined, 1000);
else process.exitCode = 7;
`;

test("runs the installed demo with its options, without secrets, and ends with its status", async () => {
  const args = ["--vm", "move", "--json", "--seed", "3"];
  const { ended, output } = installed.start(["demo", ...args], cwd, { PRIVATE_KEY: "0x01", HOME: cwd });
  expect(await ended).toBe(7);
  expect(JSON.parse(output.stdout)).toEqual({ args, home: cwd });
  expect(output.stderr).toBe("");
});

test("passes on what stands after --", async () => {
  const { ended, output } = installed.start(["demo", "--", "--help"], cwd);
  expect(await ended).toBe(7);
  expect(JSON.parse(output.stdout)).toMatchObject({ args: ["--help"] });
});

test("stops the demo when it is stopped", async () => {
  const child = installed.start(["demo", "--wait"], cwd);
  await until("the demo's start", () => child.output.stdout.includes("--wait"));
  child.process.kill("SIGTERM");
  expect(await child.ended).toBe(5);
});

test("without the package, npm runs the same version of it", async () => {
  const bin = join(cwd, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "npm"), '#!/bin/sh\necho "$@" "[$PRIVATE_KEY]"\nexit 6\n');
  await chmod(join(bin, "npm"), 0o755);
  const path = [bin, process.env["PATH"]].join(delimiter);
  const { ended, output } = without.start(["demo", "--vm", "wasm"], cwd, { PATH: path, PRIVATE_KEY: "0x01" });
  expect(await ended).toBe(6);
  expect(output.stdout).toMatch(/^exec --package=@vipscore\/demo@\d+\.\d+\.\d+ -- vipscore-demo --vm wasm \[\]\n$/);
});

test("without the package and without npm: PACKAGE_MISSING", async () => {
  const { ended, output } = without.start(["demo"], cwd, { PATH: cwd });
  expect(await ended).toBe(2);
  expect(output.stderr).toContain("[PACKAGE_MISSING, exit 2]");
});
