import { expect, test } from "vitest";
import { pushSteps, runDemoProcess, stepsOf } from "../test/runDemoProcess.ts";

test("the demo succeeds on every VM", async () => {
  const run = await runDemoProcess([], { PATH: process.env["PATH"], HOME: process.env["HOME"] });
  expect({ status: run.status, stderr: run.status === 0 ? "" : run.stderr }).toEqual({ status: 0, stderr: "" });
  console.log(`the demo took ${run.shown?.seconds} s`);
  expect(stepsOf(run)).toEqual([
    ["evm", pushSteps],
    ["move", pushSteps],
    ["wasm", pushSteps],
  ]);
  expect(run.shown?.leftOut).toEqual([]);
});

test("one VM that needs no Go: status 0", async () => {
  const run = await runDemoProcess(["--vm", "evm"], { PATH: "/nowhere" });
  expect(run).toMatchObject({ status: 0, shown: { leftOut: [] } });
  expect(stepsOf(run)).toEqual([["evm", pushSteps]]);
});
