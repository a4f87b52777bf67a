import { randomInt } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startIndexer, type RunningIndexer } from "@vipscore/indexer";
import { writeNodeFile } from "@vipscore/localnet";
import type { Context } from "../context.ts";
import type { Vm } from "@vipscore/core";
import { rollups, vms } from "../rollup/rollups.ts";
import { runChildCli } from "./childCli.ts";
import { demoChains } from "./demoChains.ts";
import { DemoReport } from "./demoReport.ts";
import { showSteps, type DemoScene } from "./demoSteps.ts";
import { showHolderSteps } from "./holderSteps.ts";
import { makeDemoRows, toCsv } from "./demoTable.ts";

/** The row that the changed table gives another score. */
const changedRow = 4711;
/** Settings of the caller that must not lead the demo to a real chain or key. */
const foreignSettings = new Set([
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

interface DemoOptions {
  /** The VM to show; all when absent. */
  readonly vm: Vm | undefined;
  readonly seed: number | undefined;
}

/**
 * Shows on a local chain of each VM what a push survives. Every step runs the real command in a process of its own and
 * checks what it claims; the first one that fails ends the demo with an error. Works in temporary folders and removes
 * them.
 */
export async function runDemo(context: Context, options: DemoOptions): Promise<void> {
  const { output } = context;
  const seed = options.seed ?? randomInt(2 ** 32);
  const shownVms = options.vm === undefined ? vms : [options.vm];
  const startedAt = performance.now();
  output.note(`seed ${seed}: \`vipscore demo --seed ${seed}\` makes the same scores again`);
  const preparing = new Map(shownVms.map((vm) => [vm, demoChains[vm].prepare(context)]));
  // A failure is met where the chain is needed; until then it must not end the process.
  for (const prepared of preparing.values()) prepared.catch(() => undefined);
  const shown = [];
  for (const vm of shownVms) {
    await preparing.get(vm);
    shown.push(await showVm(context, vm, seed));
  }
  const seconds = secondsSince(startedAt);
  output.note("");
  const tables = shown.map(({ vm, table, seconds: taken }) => `${rollups[vm].name}, ${taken} s\n${table}`);
  output.print(`${tables.join("\n\n")}\n\nall of it shown in ${seconds} s, seed ${seed}`);
  const parts = shown.map(({ vm, rows, total, steps, seconds: taken }) => ({ vm, rows, total, steps, seconds: taken }));
  output.json({ command: "demo", seed, vms: parts, seconds });
}

interface Shown extends Pick<DemoReport, "steps"> {
  readonly vm: Vm;
  readonly rows: number;
  readonly total: bigint;
  readonly table: string;
  readonly seconds: number;
}

async function showVm(context: Context, vm: Vm, seed: number): Promise<Shown> {
  const { io, output } = context;
  const startedAt = performance.now();
  const chain = demoChains[vm];
  const folder = await mkdtemp(join(tmpdir(), "vipscore-demo-"));
  const report = new DemoReport(output, rollups[vm].name);
  const env = Object.fromEntries(Object.entries(io.env).filter(([name]) => !foreignSettings.has(name)));
  const onLine = (line: string): void => output.note(output.paintNote("dim", `  ${line}`));
  const cli: DemoScene["cli"] = (args, more) =>
    runChildCli(args, { cwd: folder, env, signal: io.signal, onLine, ...more });
  try {
    const { rows } = chain;
    const total = await writeTables(folder, seed, rows);
    const node = await chain.start(context);
    const { mintNfts } = chain;
    let indexer: RunningIndexer | undefined;
    try {
      if (mintNfts !== undefined) indexer = await startIndexer({ source: { jsonRpcUrl: node.rpcUrl }, pollMs: 50 });
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

/** Writes `scores.csv`, and `changed.csv` which differs from it in one row; gives the total of the first. */
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
