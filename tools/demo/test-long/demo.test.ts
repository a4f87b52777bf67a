import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const demo = fileURLToPath(new URL("../src/demo.ts", import.meta.url));

const steps = [
  "deploy",
  "push, killed halfway",
  "push again",
  "nothing twice",
  "verify",
  "finalize another table",
  "finalize",
  "push a changed table",
];

const holderSteps = ["mint NFTs", "index them", "score the holders", "push their scores", "verify them"];

test("the demo succeeds on every VM", async () => {
  const child = spawn(process.execPath, ["--conditions=@vipscore/source", demo, "--json"], {
    env: {
      PATH: process.env["PATH"],
      PRIVATE_KEY: "not to be used",
      JSON_RPC_URL: "http://127.0.0.1:9",
      INDEXER_URL: "http://127.0.0.1:9",
    },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  const status = await new Promise((resolve) => child.once("close", resolve));
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  const shown = JSON.parse(stdout) as {
    readonly seconds: number;
    readonly vms: readonly { readonly vm: string; readonly steps: readonly { readonly step: string }[] }[];
  };
  console.log(`the demo took ${shown.seconds} s`);
  expect(shown.vms.map((one) => [one.vm, one.steps.map(({ step }) => step)])).toEqual([
    ["evm", [...steps, ...holderSteps]],
    ["move", steps],
    ["wasm", steps],
  ]);
});
