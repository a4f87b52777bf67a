import type { Vm } from "@vipscore/core";
import type { FaultTiming } from "../faultTiming.ts";
import type { SoakChain } from "./soakChain.ts";
import { runKey } from "./runTable.ts";
import { soakRun, type RunReport } from "./soakRun.ts";

/** What a soak does. */
export interface SoakOptions {
  readonly vm: Vm;
  /** Runs; each has a seed of its own, counted up from `seed`. */
  readonly runs: number;
  readonly seed: number;
  /** Rows of each table. Default: drawn for each run. */
  readonly rows?: number | undefined;
  readonly timing: FaultTiming;
  /** Called with each run as it ends. */
  readonly onRun: (report: RunReport) => void;
}

const blockTimeMs = 100;

/** Starts one local node and runs pushes against it, one after the other. */
export async function runSoak({ vm, runs, seed, rows, timing, onRun }: SoakOptions): Promise<readonly RunReport[]> {
  const chain = await startChain(vm);
  try {
    const seeds = Array.from({ length: runs }, (_, index) => seed + index);
    await chain.fund(seeds.map(runKey));
    const reports: RunReport[] = [];
    for (const each of seeds) {
      const report = await soakRun(chain, { seed: each, rows, timing });
      onRun(report);
      reports.push(report);
    }
    return reports;
  } finally {
    await chain.stop();
  }
}

/** Starts a chain; loads the libraries of its VM alone. */
async function startChain(vm: Vm): Promise<SoakChain> {
  if (vm === "evm") return (await import("./evmSoakChain.ts")).startEvmSoakChain(blockTimeMs);
  if (vm === "move") return (await import("./moveSoakChain.ts")).startMoveSoakChain(blockTimeMs);
  return (await import("./wasmSoakChain.ts")).startWasmSoakChain(blockTimeMs);
}
