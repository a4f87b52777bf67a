import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { until } from "@vipscore/testkit/until";
import { startGuarded } from "../src/startGuarded.ts";
import { expectPortFree } from "./evmClient.ts";

const node = process.execPath;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("stopping ends a program that ignores SIGTERM", async () => {
  const stubborn = startGuarded(
    node,
    ["-e", "process.on('SIGTERM',()=>{});setInterval(()=>{},9);console.log('up '+process.pid)"],
    /up (\d+)/,
  );
  const pid = Number((await stubborn.ready)[1]);
  expect(isAlive(pid)).toBe(true);
  await stubborn.stop();
  expect(isAlive(pid)).toBe(false);
});

test("a program that exits at start is reported with the end of its error output", async () => {
  const program = startGuarded(
    node,
    ["-e", "console.error('x'.repeat(9000)+'the reason');process.exitCode=9"],
    /never/,
  );
  await expect(program.ready).rejects.toMatchObject({
    message: expect.stringMatching(/\b9$/) as unknown,
    stderrTail: expect.stringMatching(/^x+the reason\n$/) as unknown,
  });
  await program.stop();
});

test("a silent program is stopped", async () => {
  const program = startGuarded(node, ["-e", "setInterval(()=>{},9)"], /never/, 300);
  await expect(program.ready).rejects.toThrow(/\b300 ms$/);
  await program.stop();
});

test("a missing program is reported", async () => {
  const program = startGuarded("/nowhere/node", [], /never/);
  await expect(program.ready).rejects.toMatchObject({ stderrTail: expect.stringContaining("ENOENT") as unknown });
  await program.stop();
});

test.each(["SIGKILL", "SIGTERM"] as const)("it ends when the process that started it gets %s", async (signal) => {
  const program = `
    const { startGuarded } = await import(${JSON.stringify(new URL("../src/startGuarded.ts", import.meta.url).href)});
    const listens = "const server = require('node:http').createServer((_, answer) => answer.end()).listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))";
    const { ready } = startGuarded(process.execPath, ["-e", listens], /port (\\d+)/);
    console.log("http://127.0.0.1:" + (await ready)[1]);
    setInterval(() => {}, 1000);`;
  const parent: ChildProcess = spawn(node, ["--conditions=@vipscore/source", "--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = (await once(parent.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const url = printed.toString().trim();
  expect((await fetch(url)).ok).toBe(true);
  parent.kill(signal);
  // A stopping program refuses requests before its port is free; a free port shows that it is gone.
  await until("the port", () =>
    expectPortFree(url).then(
      () => true,
      () => false,
    ),
  );
  await expect(fetch(url)).rejects.toThrow(TypeError);
});
