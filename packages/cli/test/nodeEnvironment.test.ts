import { readdirSync, readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { testAccounts } from "@vipscore/localnet";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { until } from "@vipscore/testkit/until";
import { settingVariables } from "../src/settings/settings.ts";
import { startCli } from "./childCli.ts";

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

/** Returns all descendants of a process. */
function descendantsOf(pid: number): readonly number[] {
  const parents = readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const status = readOrNothing(`/proc/${name}/status`);
    return [{ pid: Number(name), parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]) }];
  });
  const childrenOf = (one: number): readonly number[] =>
    parents.filter(({ parent }) => parent === one).flatMap((child) => [child.pid, ...childrenOf(child.pid)]);
  return childrenOf(pid);
}

/** Returns an empty text if the process has ended meanwhile. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

test("no process of vipnode has a key, a password or a database's URL in its environment", async () => {
  const secrets = {
    PRIVATE_KEY: testAccounts.operator.privateKey,
    KEYSTORE_PASSWORD: "not-for-others",
    DATABASE_URL: "postgres://me:not-for-others@127.0.0.1/nfts",
    PGPASSWORD: "not-for-others",
  };
  const more = { HOME: process.env["HOME"], GOFLAGS: process.env["GOFLAGS"], GOPATH: process.env["GOPATH"] };
  const node = startCli(["node", "--vm", "move", "--port", "0"], cwd, { ...secrets, ...more });
  await until("the node", () => {
    if (node.process.exitCode !== null) throw new Error(node.output.stderr);
    return readNodeFile(cwd);
  });
  const started = descendantsOf(node.process.pid ?? 0);
  const names = started.map((pid) => readOrNothing(`/proc/${pid}/cmdline`)).join("\n");
  expect(names).toContain("vipnode");
  for (const pid of started) {
    const environment = readOrNothing(`/proc/${pid}/environ`);
    expect(environment).toContain("PATH=");
    expect(environment).not.toMatch(/not-for-others|PRIVATE_KEY|DATABASE_URL/);
  }
  node.process.kill("SIGINT");
  expect(await node.ended).toBe(0);
});

test("removes all variables from which the command reads secrets", () => {
  const secret = settingVariables.filter(({ kind }) => kind === "secret");
  expect(secret.length).toBeGreaterThan(2);
  expect(nodeEnvironment(Object.fromEntries(secret.map(({ name }) => [name, "x"])))).toEqual({});
});
