import type { Vm } from "@vipscore/core";
import { startVipnode, type Mempool } from "@vipscore/localnet";
import { startProcess } from "./childProcess.ts";

export interface BenchNodeOptions {
  readonly vm: Vm;
  /** Milliseconds between blocks. */
  readonly blockTimeMs: number;
  readonly mempool: Mempool;
  /** Folder that keeps the state of a Move or Wasm node. Default: the state is in memory. */
  readonly home?: string | undefined;
}

/** A local node for a bench, in its own process. */
export interface BenchNode {
  /** JSON-RPC URL on EVM, REST URL on Move, RPC URL on Wasm. */
  readonly endpoint: string;
  /** URL of its Prometheus metrics; undefined on EVM. */
  readonly metrics?: string;
  stop(): Promise<void>;
}

/** Starts a local node: Hardhat for EVM, vipnode for Move and Wasm. */
export async function startBenchNode({ vm, blockTimeMs, mempool, home }: BenchNodeOptions): Promise<BenchNode> {
  if (vm === "evm") return startHardhatProcess(blockTimeMs);
  const node = await startVipnode({ vm, mempool, blockTimeMs, ...(home !== undefined && { home }) });
  const endpoint = vm === "move" ? node.restUrl : node.rpcUrl;
  return { endpoint, metrics: `${node.rpcUrl}/metrics`, stop: () => node.stop() };
}

async function startHardhatProcess(blockTimeMs: number): Promise<BenchNode> {
  const { first, end } = await startProcess<string>(new URL("./hardhatServer.ts", import.meta.url), [
    String(blockTimeMs),
  ]);
  return { endpoint: first, stop: end };
}
