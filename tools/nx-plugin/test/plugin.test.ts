import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const source = fileURLToPath(new URL("../src", import.meta.url));
const nx = createRequire(import.meta.url).resolve("nx/package.json");

/** Runs the `test` scripts of packages in a temporary Nx workspace. */
async function runTasks(commands: Readonly<Record<string, string>>): Promise<{ status: unknown; printed: string }> {
  const root = await mkdtemp(join(tmpdir(), "vipscore-nx-plugin-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const write = (name: string, value: object) => writeFile(join(root, name), JSON.stringify(value));
  await cp(source, join(root, "report"), { recursive: true });
  await symlink(join(nx, "..", ".."), join(root, "node_modules"));
  await write("package.json", { name: "root", private: true, workspaces: Object.keys(commands) });
  await write("nx.json", { plugins: ["./report/plugin.mjs"], neverConnectToCloud: true, analytics: false });
  for (const [name, command] of Object.entries(commands)) {
    await mkdir(join(root, name));
    await write(join(name, "package.json"), { name, scripts: { test: command } });
  }
  const { NX_WORKSPACE_ROOT_PATH: _root, NX_TASK_TARGET_PROJECT: _task, ...env } = process.env;
  return new Promise((resolve) => {
    const args = [join(nx, "..", "dist", "bin", "nx.js"), "run-many", "-t", "test", "--output-style=static"];
    const options = { cwd: root, env: { ...env, NX_DAEMON: "false", NX_TUI: "false", FORCE_COLOR: "0" } };
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, printed: stdout + stderr }),
    );
  });
}

test("a run ends with the time of each task and an explanation of every failure", async () => {
  const { status, printed } = await runTasks({
    good: "echo fine",
    bad: "echo 'src/a.ts(1,2): error TS2322: no' && exit 1",
    worse: "echo one; echo two; echo three; exit 3",
  });
  expect(status).toBe(1);
  expect(printed).toMatch(/^ +\d+\.\d s {2}good:test$/m);
  expect(printed).toMatch(/^✗ bad:test\n {4}src\/a\.ts\(1,2\): error TS2322: no$/m);
  expect(printed).toMatch(/^✗ worse:test\n {4}one\n {4}two\n {4}three$/m);
});

test("a run without failures ends with only the times", async () => {
  const { status, printed } = await runTasks({ good: "echo fine" });
  expect(status).toBe(0);
  expect(printed).toMatch(/^ +\d+\.\d s {2}good:test$/m);
  expect(printed).not.toContain("✗");
});
