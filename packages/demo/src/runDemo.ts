import { createHash, randomInt } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { styleText } from "node:util";
import { VipError, type Vm } from "@vipscore/core";
import { writeNodeFile } from "@vipscore/core/nodeFile";
import { group, vms } from "@vipscore/core/values";
import { prepareVipnodes, startHardhat, startVipnode, vipnodeBuildNotes } from "@vipscore/localnet";
import { countWrites } from "./chainWrites.ts";
import { childCli } from "./childCli.ts";
import { showSteps, type RunStep } from "./demoSteps.ts";

const names: Readonly<Record<Vm, string>> = { evm: "EVM", move: "Move", wasm: "Wasm" };
/** Rows of the table: enough for several transactions. */
const tableRows: Readonly<Record<Vm, number>> = { evm: 5_000, move: 20_000, wasm: 20_000 };
/** The row with another score in the changed table. */
const changedRow = 4711;
/** Fast, but with several transactions in flight at a time, as on a rollup. */
const blockTimeMs = 100;
/** Names of the caller's settings that must not lead the demo to a real chain or key. */
const foreignSetting = /^VIPSCORE_|_(URL|KEY|ADDRESS|PASSWORD|PRICES|STAGE)$|^(CHAIN_ID|COIN_TYPE|MNEMONIC)$/;

export interface DemoOutput {
  readonly print: (text: string) => void;
  readonly note: (text: string) => void;
  /** Prints the object of `--json`; does nothing without it. */
  readonly json: (value: object) => void;
}

/** The VM to show, default all, and what makes the scores, default a random number. */
export interface DemoOptions {
  readonly vm: Vm | undefined;
  readonly seed: number | undefined;
}

/** A VM that cannot run on this machine, why, and what it needs. */
interface LeftOut {
  readonly vm: Vm;
  readonly reason: string;
  readonly hints: readonly string[];
}

/**
 * Shows on a local chain of each VM what a push survives. Every step runs the real command in its own process and
 * checks its claims; the first that fails ends the demo with an error. Works in temporary folders and removes
 * them.
 *
 * @returns the VMs that cannot run on this machine; the others were shown.
 */
export async function runDemo(
  output: DemoOutput,
  options: DemoOptions,
  signal: AbortSignal,
): Promise<readonly LeftOut[]> {
  const seed = options.seed ?? randomInt(2 ** 32);
  const startedAt = performance.now();
  output.note(`seed ${seed}: \`--seed ${seed}\` makes the same scores again`);
  const asked = options.vm === undefined ? vms : [options.vm];
  const faultOf = prepareChains(output, asked, signal);
  const shown: Shown[] = [];
  const leftOut: LeftOut[] = [];
  for (const vm of asked) {
    const fault = await faultOf(vm);
    if (fault === undefined) shown.push(await showVm(output, vm, seed, signal));
    else leftOut.push({ vm, ...fault });
  }
  const seconds = secondsSince(startedAt);
  output.note("");
  const tables = shown.map(({ vm, steps, seconds: taken }) => `${names[vm]}, ${taken} s\n${formatSteps(steps)}`);
  const missing = leftOut.map(({ vm, reason, hints }) =>
    [`${names[vm]} was left out: ${reason}`, ...hints.map((hint) => `  ${hint}`)].join("\n"),
  );
  const summary =
    leftOut.length === 0 ? `everything shown in ${seconds} s, seed ${seed}` : `${seconds} s, seed ${seed}`;
  output.print([...tables, ...missing, summary].join("\n\n"));
  output.json({ command: "demo", seed, vms: shown, leftOut, seconds });
  return leftOut;
}

type Fault = Omit<LeftOut, "vm">;

/**
 * Builds the programs of the chains while others are shown. The result waits for that of a VM, and returns why it cannot run on
 * this machine.
 */
function prepareChains(output: DemoOutput, asked: readonly Vm[], signal: AbortSignal) {
  const programs = asked.filter((vm) => vm !== "evm");
  let isOver = false;
  const prepare = async (): Promise<Fault | undefined> => {
    try {
      if (programs.length === 0) return undefined;
      const screen = { isTerminal: false, note: output.note, showTransient: () => undefined };
      await prepareVipnodes({ vms: programs, signal, onProgress: vipnodeBuildNotes(programs, screen) });
      return undefined;
    } catch (error) {
      if (!VipError.isVipError(error) || error.code !== "CONFIG_INVALID") throw error;
      const { shortMessage: reason, metaMessages: hints } = error;
      const leftOut = programs.map((vm) => names[vm]).join(" and ");
      output.note(`${paint("yellow", "warning")}  leaving out ${leftOut}: ${reason}`);
      return { reason, hints };
    } finally {
      isOver = true;
    }
  };
  const fault = prepare();
  // Reported where the chain is needed; until then it must not end the process.
  fault.catch(() => undefined);
  return async (vm: Vm): Promise<Fault | undefined> => {
    if (vm === "evm") return undefined;
    if (!isOver) output.note(`waiting for the program of the local ${names[vm]} chain`);
    return fault;
  };
}

/** One line of the demo's result. */
interface DemoStep {
  readonly step: string;
  readonly shown: string;
  readonly milliseconds: number;
}

interface Shown {
  readonly vm: Vm;
  readonly rows: number;
  readonly total: bigint;
  readonly steps: readonly DemoStep[];
  readonly seconds: number;
}

async function showVm(output: DemoOutput, vm: Vm, seed: number, signal: AbortSignal): Promise<Shown> {
  const startedAt = performance.now();
  const name = names[vm];
  const folder = await mkdtemp(join(tmpdir(), "vipscore-demo-"));
  const env = Object.fromEntries(Object.entries(process.env).filter(([variable]) => !foreignSetting.test(variable)));
  const onLine = (line: string): void => output.note(paint("dim", `  ${line}`));
  const cli = childCli({ cwd: folder, env, signal, onLine });
  const steps: DemoStep[] = [];
  const run: RunStep = async (step, work) => {
    output.note(paint("bold", `▸ ${name}: ${step}`));
    const stepStartedAt = performance.now();
    const shown = await work();
    steps.push({ step, shown, milliseconds: Math.round(performance.now() - stepStartedAt) });
    output.note(`  ${shown}`);
  };
  try {
    const rows = tableRows[vm];
    const total = await writeTables(folder, seed, rows);
    output.note(`starting a local ${name} chain`);
    const node = vm === "evm" ? await startHardhat({ blockTimeMs }) : await startVipnode({ vm, blockTimeMs, signal });
    try {
      await writeNodeFile(folder, node);
      await showSteps(run, { folder, rows, total, cli, countWrites: (contract) => countWrites(node, contract, 1n) });
    } finally {
      await node.stop();
    }
    return { vm, rows, total, steps, seconds: secondsSince(startedAt) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes `scores.csv` and `changed.csv`, which differ in one row; returns the total of `scores.csv`. */
async function writeTables(folder: string, seed: number, count: number): Promise<bigint> {
  const rows = Array.from({ length: count }, (_, index) => makeRow(seed, index));
  const write = (file: string, changed?: number) => {
    const lines = rows.map(({ address, score }, row) => `${address},${row === changed ? score + 1n : score}\n`);
    return writeFile(join(folder, file), `address,score\n${lines.join("")}`);
  };
  await write("scores.csv");
  await write("changed.csv", changedRow);
  return rows.reduce((sum, { score }) => sum + score, 0n);
}

/**
 * Generates a row like a rollup's: most accounts with low scores, a few with very high ones (log-normal, median about 400).
 * The same seed gives the same rows.
 */
function makeRow(seed: number, index: number) {
  const bytes = createHash("sha256").update(`vipscore demo ${seed} ${index}`).digest();
  // Box-Muller transform of two uniform numbers, from bytes that the address does not use.
  const first = (bytes.readUInt32BE(20) + 1) / 2 ** 32;
  const second = bytes.readUInt32BE(24) / 2 ** 32;
  const normal = Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * second);
  const score = BigInt(1 + Math.floor(Math.exp(6 + 1.5 * normal)));
  return { address: `0x${bytes.toString("hex", 0, 20)}`, score };
}

function formatSteps(steps: readonly DemoStep[]): string {
  const width = Math.max(...steps.map(({ step }) => step.length));
  return steps
    .map(
      ({ step, shown, milliseconds }) => `${step.padEnd(width)}  ${`${group(milliseconds)} ms`.padStart(10)}  ${shown}`,
    )
    .join("\n");
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

/** Returns the text in a style for stderr; plain if stderr is not a terminal or color is disabled. */
export function paint(style: "bold" | "dim" | "yellow" | "red", text: string): string {
  return styleText(style, text, { stream: process.stderr });
}
