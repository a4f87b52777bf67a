import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { script } from "@vipscore/testkit/scriptedServer";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { runCli } from "./harness.ts";

const folder = temporaryFolder();
let env: Record<string, string>;
let version: string | undefined = "v1.2.0";
let name = "minitia";

beforeAll(async () => {
  // A rollup's CometBFT RPC.
  const { url: rpcUrl } = await script(() => {
    const response = { data: name, ...(version === undefined ? {} : { version }), last_block_height: "5366" };
    return { body: { jsonrpc: "2.0", id: -1, result: { response } } };
  });
  env = { PATH: `${folder}:/usr/bin:/bin`, RPC_NODE_URL: rpcUrl };
});

const install = (says: string): Promise<void> =>
  writeFile(join(folder, "minitiad"), `#!/bin/sh\necho ${says}\n`, { mode: 0o755 });

test("no minitiad: nothing to compare", async () => {
  const { status, stdout } = await runCli(["version"], folder, { env });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^vipscore {3}\d+\.\d+\.\d+\nrollup {5}minitia v1\.2\.0\b.*\b5,366\nminitiad {3}.*\n$/);
  const found = await runCli(["version", "--json"], folder, { env });
  expect(found.json()).toMatchObject({ minitiad: null, comparison: "unknown" });
});

test("the same version, with or without a v", async () => {
  await install("1.2.0");
  const found = await runCli(["version", "--json"], folder, { env });
  expect(found.json()).toMatchObject({
    command: "version",
    rollup: { name: "minitia", version: "v1.2.0", height: "5366" },
    minitiad: { version: "1.2.0" },
    comparison: "equal",
  });
});

test("another version is refused, and both are reported", async () => {
  await install("v1.1.9");
  const found = await runCli(["version", "--json"], folder, { env });
  expect(found.status).toBe(3);
  expect(found.json()["error"]).toMatchObject({ code: "VERSION_MISMATCH", exit: 3 });
  expect(found.stderr).toMatch(/v1\.2\.0[^]*v1\.1\.9/);
});

test("a development node is not compared with minitiad", async () => {
  await install("v1.1.9");
  name = "vipnode-move";
  const found = await runCli(["version", "--json"], folder, { env });
  name = "minitia";
  expect(found.json()).toMatchObject({ rollup: { name: "vipnode-move", version: "v1.2.0" }, comparison: "unknown" });
});

test("a rollup without a version, and no rollup: unknown versions are not refused", async () => {
  await install("v1.1.9");
  version = undefined;
  const unknown = await runCli(["version", "--json"], folder, { env });
  expect(unknown.json()).toMatchObject({ rollup: { version: null }, comparison: "unknown" });
  const alone = await runCli(["version", "--json"], folder, { env: { ...env, RPC_NODE_URL: "" } });
  expect(alone.json()).toMatchObject({ rollup: null, minitiad: { version: "v1.1.9" }, comparison: "unknown" });
});
