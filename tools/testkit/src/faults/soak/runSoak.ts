import type { Vm } from "@vipscore/core";
import type { Mempool } from "@vipscore/localnet";
import { randomFor } from "../faultChoice.ts";
import type { FaultTiming } from "../playFault.ts";
import { otherKey } from "./otherMember.ts";
import { runKey } from "./runTable.ts";
import type { SoakChain } from "./soakChain.ts";
import { soakRun, type RunReport } from "./soakRun.ts";

export interface SoakOptions {
  readonly vm: Vm;
  /** Number of runs; each has its own seed, counted up from `seed`. */
  readonly runs: number;
  readonly seed: number;
  /** Rows of each table. Default: drawn per run. */
  readonly rows?: number | undefined;
  /** True to play no fault but a node that lags. */
  readonly isLagging?: boolean | undefined;
  /** True for another member who writes, and for reads that come from before the push. */
  readonly hasOthers?: boolean | undefined;
  readonly timing: FaultTiming;
  /** Called when a run ends. */
  readonly onRun: (report: RunReport) => void;
}

const blockTimeMs = 100;

/** Starts a local node, on Move and Wasm one per kind of mempool, and runs pushes against it, one after the other. */
export async function runSoak(options: SoakOptions): Promise<readonly RunReport[]> {
  const { vm, runs, seed, rows, isLagging, hasOthers, timing, onRun } = options;
  const seeds = Array.from({ length: runs }, (_, index) => seed + index);
  const chains = new Map<Mempool, SoakChain>();
  const chainOf = async (mempool: Mempool): Promise<SoakChain> => {
    const running = chains.get(mempool);
    if (running !== undefined) return running;
    const chain = await startChain(vm, mempool);
    chains.set(mempool, chain);
    const own = seeds.filter((each) => drawMempool(vm, each) === mempool);
    await chain.fund([...own.map(runKey), ...own.map(otherKey)]);
    return chain;
  };
  try {
    const reports: RunReport[] = [];
    for (const each of seeds) {
      const chain = await chainOf(drawMempool(vm, each));
      const report = await soakRun(chain, { seed: each, rows, isLagging, hasOthers, timing });
      onRun(report);
      reports.push(report);
    }
    return reports;
  } finally {
    for (const chain of chains.values()) await chain.stop();
  }
}

/** The mempool of a run. EVM has only one kind. */
function drawMempool(vm: Vm, seed: number): Mempool {
  return vm === "evm" ? "classic" : randomFor(seed, "mempool").pick(["initia", "classic"] as const);
}

/** Starts a chain; loads only the libraries of its VM. */
async function startChain(vm: Vm, mempool: Mempool): Promise<SoakChain> {
  if (vm === "evm") return (await import("./evmSoakChain.ts")).startEvmSoakChain(blockTimeMs);
  if (vm === "move") return (await import("./moveSoakChain.ts")).startMoveSoakChain(blockTimeMs, mempool);
  return (await import("./wasmSoakChain.ts")).startWasmSoakChain(blockTimeMs, mempool);
}
