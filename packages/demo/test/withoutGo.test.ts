import { expect, test } from "vitest";
import { pushSteps, runDemoProcess, stepsOf } from "./runDemoProcess.ts";

/** A machine without Go and without a C compiler. */
const withoutGo = { PATH: "/nowhere" };

const missing = {
  reason: expect.stringMatching(/\bvipnode-\S+.*\bGo 1\.23\b.*\bC compiler\b/) as string,
  hints: [expect.stringContaining("@vipscore/vipnode-") as string, expect.stringContaining("minitiad") as string],
};

test("all VMs: shows EVM, names what the others need, status 3", async () => {
  const run = await runDemoProcess([], withoutGo);
  expect(stepsOf(run)).toEqual([["evm", pushSteps]]);
  expect(run).toMatchObject({
    status: 3,
    shown: {
      leftOut: [
        { vm: "move", ...missing },
        { vm: "wasm", ...missing },
      ],
    },
  });
  expect(run.stderr).toMatch(/\bMove\b.*\bWasm\b/);
});

test("one VM that cannot run: shows nothing, status 3", async () => {
  const run = await runDemoProcess(["--vm", "wasm"], withoutGo);
  expect(run).toMatchObject({ status: 3, shown: { vms: [], leftOut: [{ vm: "wasm", ...missing }] } });
});
