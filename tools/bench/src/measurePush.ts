import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Vm } from "@vipscore/core";
import type { Mempool } from "@vipscore/localnet";
import type { BenchChain, BenchChainParameters } from "./benchChain.ts";
import { localKey, type BenchKey } from "./benchKey.ts";
import { startBenchNode, type BenchNode } from "./benchNode.ts";
import { benchTable } from "./benchTable.ts";
import { countTraffic, totalOf, type Traffic, type TrafficByKind } from "./countTraffic.ts";
import { ourPush, type PushPhases, type PushRound } from "./ourPush.ts";
import { plainBatch, plainPush } from "./plainPush.ts";
import { preparePush, type PushCase } from "./pushTarget.ts";

/** Stores of a local node: real nodes have theirs on disk. */
export const stores = ["memory", "disk"] as const;

export type Store = (typeof stores)[number];

/** Options of {@link measurePush}. */
export interface PushBenchOptions {
  readonly vm: Vm;
  readonly case: PushCase;
  readonly rows: number;
  readonly rounds: number;
  /** Milliseconds between blocks, of the started node or of the node at the endpoint. */
  readonly blockTimeMs: number;
  readonly mempool: Mempool;
  /** Where a local Move or Wasm node keeps its state. */
  readonly store: Store;
  /** Skip the plain library. */
  readonly oursOnly: boolean;
  /** A running node and its key. Default: a local node. */
  readonly remote?: { readonly endpoint: string; readonly key: BenchKey; readonly gasPrices: string };
  /** URL of the metrics of the node at the endpoint. */
  readonly metrics?: string | undefined;
}

/** Results of one bench: medians over its rounds. */
export interface PushFigures {
  readonly vm: Vm;
  readonly case: PushCase;
  readonly rows: number;
  readonly rounds: number;
  readonly blockTimeMs: number;
  /** The local node's mempool; null for a node at an endpoint and on EVM. */
  readonly mempool: Mempool | null;
  /** The local node's store; null for a node at an endpoint and on EVM. */
  readonly store: Store | null;
  readonly ours: {
    readonly scoresPerSecond: number;
    readonly seconds: number;
    /** Seconds by phase. */
    readonly phases: PushPhases;
    /** Share of the time in which the node executes blocks; null without its metrics. */
    readonly executing: number | null;
    readonly batches: number;
    readonly rowsPerBatch: number;
    /** Sum over all rounds. */
    readonly setbacks: number;
    /** Requests and bytes of the last round, in all and by kind. */
    readonly traffic: Traffic & { readonly kinds: TrafficByKind };
  };
  /** The plain library; null with `oursOnly`. */
  readonly tutorial: {
    readonly scoresPerSecond: number;
    readonly seconds: number;
    readonly batches: number;
    readonly rowsPerBatch: number;
    /** The node's answer to a larger batch; null if one batch holds all rows. */
    readonly limit: string | null;
  } | null;
  /** Ours over the tutorial's scores per second; null with `oursOnly`. */
  readonly ratio: number | null;
  /** Peak memory of this process, in bytes; local nodes are other processes. */
  readonly peakMemoryBytes: number;
}

/**
 * Pushes the same rows with this project and with the chain's plain library, alternating and each time to a new contract.
 */
export async function measurePush(options: PushBenchOptions): Promise<PushFigures> {
  const { vm, case: pushCase, rows, rounds, blockTimeMs, mempool, store, oursOnly, remote } = options;
  const folder = await mkdtemp(join(tmpdir(), "vipscore-push-bench-"));
  let node: BenchNode | undefined;
  try {
    const startNode = async () => {
      const home = store === "disk" ? join(folder, "node") : undefined;
      node = await startBenchNode({ vm, blockTimeMs, mempool, home });
      return { endpoint: node.endpoint, key: localKey, gasPrices: "0umin" };
    };
    const chain = await openChain(vm, { ...(remote ?? (await startNode())), blockTimeMs, rows });
    const table = benchTable(rows);
    const plainRows = oursOnly ? [] : [...table];
    // The search writes nothing, so its contract is still empty for the first round.
    let reference = oursOnly ? undefined : await chain.deployReference();
    const batch = reference && (await plainBatch(reference, plainRows));
    const metrics = remote ? options.metrics : node?.metrics;
    const ours: PushRound[] = [];
    const executing: number[] = [];
    const plain: number[] = [];
    let kinds: TrafficByKind = {};
    for (let round = 0; round < rounds; round += 1) {
      const target = await preparePush(chain, pushCase, table);
      const before = await readExecuted(metrics);
      const counted = await countTraffic(() => ourPush(target, table, join(folder, `${round}.journal`)));
      executing.push(((await readExecuted(metrics)) - before) / counted.value.seconds);
      ours.push(counted.value);
      ({ kinds } = counted);
      if (batch) {
        reference ??= await chain.deployReference();
        plain.push(await plainPush(reference, plainRows, batch.rows));
        reference = undefined;
      }
    }
    const speed = rows / medianOf(ours.map(({ seconds }) => seconds));
    const plainSpeed = rows / medianOf(plain);
    return {
      vm,
      case: pushCase,
      rows,
      rounds,
      blockTimeMs,
      mempool: remote || vm === "evm" ? null : mempool,
      store: remote || vm === "evm" ? null : store,
      ours: {
        ...summarize(ours, speed),
        executing: metrics === undefined ? null : medianOf(executing),
        traffic: { ...totalOf(kinds), kinds },
      },
      tutorial: batch
        ? {
            scoresPerSecond: plainSpeed,
            seconds: medianOf(plain),
            batches: Math.ceil(rows / batch.rows),
            rowsPerBatch: batch.rows,
            limit: batch.refusal ?? null,
          }
        : null,
      ratio: batch ? speed / plainSpeed : null,
      peakMemoryBytes: process.resourceUsage().maxRSS * 1_024,
    };
  } finally {
    await node?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Opens a chain; loads only the libraries of its VM. */
async function openChain(vm: Vm, parameters: BenchChainParameters): Promise<BenchChain> {
  if (vm === "evm") return (await import("./evmChain.ts")).openEvmChain(parameters);
  if (vm === "move") return (await import("./moveChain.ts")).openMoveChain(parameters);
  return (await import("./wasmChain.ts")).openWasmChain(parameters);
}

function summarize(
  ours: readonly PushRound[],
  scoresPerSecond: number,
): Omit<PushFigures["ours"], "executing" | "traffic"> {
  const phase = (name: keyof PushPhases) => medianOf(ours.map(({ phases }) => phases[name]));
  return {
    scoresPerSecond,
    seconds: medianOf(ours.map(({ seconds }) => seconds)),
    phases: { connect: phase("connect"), plan: phase("plan"), send: phase("send"), verify: phase("verify") },
    batches: medianOf(ours.map(({ batches }) => batches)),
    rowsPerBatch: medianOf(ours.map(({ rowsPerBatch }) => rowsPerBatch)),
    setbacks: ours.reduce((sum, { setbacks }) => sum + setbacks, 0),
  };
}

/** Returns the seconds for which a node has executed blocks, from its Prometheus metrics (CometBFT 0.38, `state/metrics.go`). */
async function readExecuted(metrics: string | undefined): Promise<number> {
  if (metrics === undefined) return 0;
  const text = await (await fetch(metrics)).text();
  return Number(/^cometbft_state_block_processing_time_sum\S* (\S+)$/m.exec(text)?.[1]) / 1_000;
}

/** Returns the median; for an even number of values the mean of the two in the middle. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
