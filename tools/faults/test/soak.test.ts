import { expect, test } from "vitest";
import { shortTiming } from "../src/faultTiming.ts";
import { runSoak } from "../src/soak/runSoak.ts";
import { runDetails, runLine, soakSummary } from "../src/soak/soakText.ts";

const runs = 20;
const rows = 300;

test.each([
  ["evm", 10_000],
  ["move", 20_000],
  ["wasm", 30_000],
] as const)("20 pushes with faults on %s, seeds from %i: none ends wrong", async (vm, seed) => {
  console.log(`soak of ${runs} runs on ${vm}, seed ${seed}`);
  const reports = await runSoak({
    vm,
    runs,
    seed,
    rows,
    timing: shortTiming,
    onRun: (run) => {
      if (run.outcome === "WRONG") console.log(`${runLine(vm, run)}\n${runDetails(run)}`);
    },
  });
  console.log(soakSummary(reports));
  expect(reports.filter(({ outcome }) => outcome === "WRONG").map((run) => run.reason)).toEqual([]);
});
