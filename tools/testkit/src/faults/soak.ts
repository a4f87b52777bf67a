import { parseArgs } from "node:util";
import { vms } from "@vipscore/core/values";
import { seedOfRun } from "../fuzzSeed.ts";
import { fullTiming } from "./playFault.ts";
import { runSoak } from "./soak/runSoak.ts";
import { runDetails, runLine, soakSummary } from "./soak/soakText.ts";

/**
 * Drives pushes through a proxy that injects faults, against a local node:
 *
 *     soak --vm evm|move|wasm [--runs 20] [--seed S] [--rows N] [--lag] [--others] [--json]
 *
 * Each run has its own seed, counted up from S, by default `FUZZ_SEED` or 1; `--runs 1 --seed S` repeats it. That, and each
 * WRONG run, also prints every fault with its request and the command's output. `--lag` plays no fault but a node that is 1 to
 * 3 s behind the chain. `--others` adds another member who writes, and reads that come from before the push. `--json` prints one object instead: vm, seed,
 * and runs (`RunReport`).
 *
 * Exit status 1 if a run is WRONG.
 */
const { values } = parseArgs({
  options: {
    vm: { type: "string", default: "" },
    runs: { type: "string", default: "20" },
    seed: { type: "string" },
    rows: { type: "string" },
    lag: { type: "boolean", default: false },
    others: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const vm = vms.find((one) => one === values.vm);
if (vm === undefined) throw new Error("--vm must be evm, move or wasm");
const seed = values.seed === undefined ? seedOfRun() : countOf("--seed", values.seed);
const runs = countOf("--runs", values.runs);
const rows = values.rows === undefined ? undefined : countOf("--rows", values.rows);
if (!values.json) console.log(`soak of ${runs} runs on ${vm}, seed ${seed}`);

const reports = await runSoak({
  vm,
  runs,
  seed,
  rows,
  isLagging: values.lag,
  hasOthers: values.others,
  timing: fullTiming,
  onRun: (run) => {
    if (values.json) return;
    console.log(runLine(vm, run));
    if (runs === 1 || run.outcome === "WRONG") console.log(runDetails(run));
  },
});
console.log(values.json ? JSON.stringify({ vm, seed, runs: reports }) : soakSummary(reports));
if (reports.some(({ outcome }) => outcome === "WRONG")) process.exitCode = 1;

function countOf(option: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Error(`${option} "${text}" is not a whole number`);
}
