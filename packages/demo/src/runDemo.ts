import { randomInt } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Vm } from "@vipscore/core";
import { writeNodeFile } from "@vipscore/core/nodeFile";
import { vms } from "@vipscore/core/values";
import type { RunningIndexer } from "@vipscore/indexer";
import { ChainPreparation, type ChainFault } from "./chainPreparation.ts";
import { runChildCli } from "./childCli.ts";
import { demoChains } from "./demoChains.ts";
import type { DemoOutput } from "./demoOutput.ts";
import { DemoReport } from "./demoReport.ts";
import { showSteps, type DemoScene } from "./demoSteps.ts";
import { makeDemoRows, toCsv } from "./demoTable.ts";
import { showHolderSteps } from "./holderSteps.ts";

/** The row with another score in the changed table. */
const changedRow = 4711;
/** The caller's settings that must not lead the demo to a real chain or key. */
const foreignSettings = new Set([
  "VIPSCORE_ENDPOINT",
  "JSON_RPC_URL",
  "REST_URL",
  "RPC_NODE_URL",
  "CONTRACT_ADDRESS",
  "CHAIN_ID",
  "GAS_PRICES",
  "INIT_STAGE",
  "L1_REST_URL",
  "VIP_ADDRESS",
  "INDEXER_URL",
  "DATABASE_URL",
  "PRIVATE_KEY",
  "MNEMONIC",
  "COIN_TYPE",
  "KEYSTORE_PASSWORD",
]);

/** Options of a demo run. */
export interface DemoOptions {
  /** The VM to show. Default: all. */
  readonly vm: Vm | undefined;
  readonly seed: number | undefined;
  /** Ends the demo when aborted. */
  readonly signal: AbortSignal;
}

/** A VM that cannot run on this machine. */
interface LeftOut extends ChainFault {
  readonly vm: Vm;
}

/**
 * Shows on a local chain of each VM what a push survives. Every step runs the real command in its own process and
 * checks its claims; the first that fails ends the demo with an error. Works in temporary folders and removes
 * them.
 *
 * @returns the VMs that cannot run on this machine; the others were shown.
 */
export async function runDemo(output: DemoOutput, options: DemoOptions): Promise<readonly LeftOut[]> {
  const { signal } = options;
  const seed = options.seed ?? randomInt(2 ** 32);
  const startedAt = performance.now();
  output.note(`seed ${seed}: \`--seed ${seed}\` makes the same scores again`);
  const asked = options.vm === undefined ? vms : [options.vm];
  // The chains of later VMs are built while the first is shown.
  const preparing = new ChainPreparation(output, asked, signal);
  const shown: Shown[] = [];
  const leftOut: LeftOut[] = [];
  for (const vm of asked) {
    const fault = await preparing.faultOf(vm);
    if (fault === undefined) shown.push(await showVm(output, vm, seed, signal));
    else leftOut.push({ vm, ...fault });
  }
  const seconds = secondsSince(startedAt);
  output.note("");
  const tables = shown.map(({ vm, table, seconds: taken }) => `${demoChains[vm].name}, ${taken} s\n${table}`);
  const missing = leftOut.map(({ vm, reason, hints }) =>
    [`${demoChains[vm].name} was left out: ${reason}`, ...hints.map((hint) => `  ${hint}`)].join("\n"),
  );
  const summary =
    leftOut.length === 0 ? `everything shown in ${seconds} s, seed ${seed}` : `${seconds} s, seed ${seed}`;
  output.print([...tables, ...missing, summary].join("\n\n"));
  const parts = shown.map(({ vm, rows, total, steps, seconds: taken }) => ({ vm, rows, total, steps, seconds: taken }));
  output.json({ command: "demo", seed, vms: parts, leftOut, seconds });
  return leftOut;
}

interface Shown extends Pick<DemoReport, "steps"> {
  readonly vm: Vm;
  readonly rows: number;
  readonly total: bigint;
  readonly table: string;
  readonly seconds: number;
}

async function showVm(output: DemoOutput, vm: Vm, seed: number, signal: AbortSignal): Promise<Shown> {
  const startedAt = performance.now();
  const chain = demoChains[vm];
  const folder = await mkdtemp(join(tmpdir(), "vipscore-demo-"));
  const report = new DemoReport(output, demoChains[vm].name);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreignSettings.has(name)));
  const onLine = (line: string): void => output.note(output.paint("dim", `  ${line}`));
  const cli: DemoScene["cli"] = (args, more) => runChildCli(args, { cwd: folder, env, signal, onLine, ...more });
  try {
    const { rows } = chain;
    const total = await writeTables(folder, seed, rows);
    output.note(`starting a local ${chain.name} chain`);
    const node = await chain.start(signal);
    const { mintNfts } = chain;
    let indexer: RunningIndexer | undefined;
    try {
      if (mintNfts !== undefined) {
        const { startIndexer } = await import("@vipscore/indexer");
        indexer = await startIndexer({ source: { jsonRpcUrl: node.rpcUrl }, pollMs: 50 });
      }
      await writeNodeFile(folder, { ...node, ...(indexer === undefined ? {} : { indexerUrl: indexer.url }) });
      const countWrites: DemoScene["countWrites"] = (contract) => chain.countWrites(node, contract, 1n);
      await showSteps(report, { folder, rows, total, cli, countWrites });
      if (mintNfts !== undefined && indexer !== undefined) {
        await showHolderSteps(report, { cli, mint: () => mintNfts(node, seed), indexerUrl: indexer.url });
      }
    } finally {
      await indexer?.stop();
      await node.stop();
    }
    return { vm, rows, total, table: report.table(), steps: report.steps, seconds: secondsSince(startedAt) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes `scores.csv` and `changed.csv`, which differ in one row; returns the total of `scores.csv`. */
async function writeTables(folder: string, seed: number, count: number): Promise<bigint> {
  const rows = makeDemoRows(seed, count);
  await writeFile(join(folder, "scores.csv"), toCsv(rows));
  const changed = rows.map(({ address, score }, row) => ({ address, score: row === changedRow ? score + 1n : score }));
  await writeFile(join(folder, "changed.csv"), toCsv(changed));
  return rows.reduce((sum, { score }) => sum + score, 0n);
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}
