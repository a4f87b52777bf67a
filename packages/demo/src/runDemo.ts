import { createHash, randomInt } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { styleText } from "node:util";
import { VipError, type Vm } from "@vipscore/core";
import { writeNodeFile } from "@vipscore/core/nodeFile";
import { count, group, shortDigest, vms } from "@vipscore/core/values";
import { prepareVipnodes, startHardhat, startVipnode, vipnodeBuildNotes } from "@vipscore/localnet";
import { countWrites, type ChainWrites } from "./chainWrites.ts";
import { childCli, type ChildCli } from "./childCli.ts";

const names: Readonly<Record<Vm, string>> = { evm: "EVM", move: "Move", wasm: "Wasm" };
/** Rows of the table: enough for several transactions. */
const tableRows: Readonly<Record<Vm, number>> = { evm: 5_000, move: 20_000, wasm: 20_000 };
/** The row with another score in the changed table. */
const changedRow = 4711;
/** Fast, but with several transactions in flight at a time, as on a rollup. */
const blockTimeMs = 100;
/** Names of the caller's settings that must not lead the demo to a real chain or key. */
const foreignSetting = /^VIPSCORE_|_(URL|KEY|ADDRESS|PASSWORD|PRICES|STAGE)$|^(CHAIN_ID|COIN_TYPE|MNEMONIC)$/;

/** Where the demo prints. */
export interface DemoOutput {
  /** Prints the result. */
  readonly print: (text: string) => void;
  /** Prints a progress message. */
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
async function writeTables(folder: string, seed: number, length: number): Promise<bigint> {
  const rows = Array.from({ length }, (_, index) => makeRow(seed, index));
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

/** The context of the steps. */
interface DemoScene {
  /** The folder with `scores.csv` and `changed.csv`, which differ in one row. */
  readonly folder: string;
  readonly rows: number;
  readonly total: bigint;
  readonly cli: ChildCli;
  /** Reads what was written to stage 1 of a contract from the chain. */
  readonly countWrites: (contract: string) => Promise<ChainWrites>;
}

const journal = "demo.jsonl";
const pushArgs = ["push", "scores.csv", "--stage", "1", "--journal", journal];
const verifyArgs = ["verify", "scores.csv", "--stage", "1"];

/** Runs a step, which returns its result. A step that fails throws, which ends the demo. */
type RunStep = (step: string, work: () => Promise<string>) => Promise<void>;

/** Runs every step. */
async function showSteps(run: RunStep, scene: DemoScene): Promise<void> {
  const { folder, rows, total, cli } = scene;
  const all = group(rows);
  let contract = "";
  let digest = "";
  let sentBefore = 0;
  const writes = (): Promise<ChainWrites> => scene.countWrites(contract);
  const rowsInJournal = async (): Promise<number> => {
    const sent = await readJournalSent(join(folder, journal));
    return sent.reduce((sum, transaction) => sum + transaction.rows, 0);
  };

  await run("deploy", async () => {
    const deployed = await answerOf<{ contract: { address: string } }>(cli(["deploy", "--init-stage", "1", "--json"]));
    contract = deployed.contract.address;
    sentBefore = (await writes()).senderTransactions;
    return `a contract at ${contract}, stage 1 is open`;
  });
  await run("push, killed halfway", async () => {
    const killWhen = async (stopped: AbortSignal): Promise<void> => {
      while ((await writes()).rows === 0) await delay(5, undefined, { signal: stopped });
      // Last, because the rest would be sent while the chain is asked.
      while ((await rowsInJournal()) < rows / 2) await delay(5, undefined, { signal: stopped });
    };
    const { signal } = await cli(pushArgs, killWhen);
    expectThat(signal === "SIGKILL", "the push ended before it could be killed");
    return `SIGKILL when the journal had ${group(await rowsInJournal())} of ${all} rows`;
  });
  await run("push again", async () => {
    const { transactions } = await answerOf<{ transactions: { rows: number }[] }>(cli([...pushArgs, "--json"]));
    const missing = transactions.reduce((sum, transaction) => sum + transaction.rows, 0);
    expectThat(missing > 0 && missing < rows, `the second push sent ${missing} rows`);
    return `sent the missing ${group(missing)} rows in ${count(transactions.length, "transaction")}`;
  });
  await run("nothing twice", async () => {
    const found = await writes();
    const noted = new Set((await readJournalSent(join(folder, journal))).map(({ hash }) => hash));
    const { transactions } = found;
    expectThat(found.rows === rows, `the chain has ${found.rows} writes`);
    expectThat(found.accounts === rows, `the chain has ${found.accounts} accounts`);
    expectThat(found.senderTransactions - sentBefore <= noted.size, "more transactions were sent than the journal has");
    expectThat(
      [...transactions].every((hash) => noted.has(hash)),
      "a transaction is not in the journal",
    );
    const shown = `${group(found.rows)} writes for ${group(found.accounts)} accounts`;
    return `the chain has ${shown}, in ${count(transactions.size, "transaction")}, all in the journal`;
  });
  await run("verify", async () => {
    digest = await chainDigest(cli([...verifyArgs, "--json"]));
    return `${all} accounts and the total ${group(total)} agree, sha256 ${shortDigest(digest)}`;
  });
  await run("finalize another table", async () => {
    const args = ["finalize", "--stage", "1", "--file", "changed.csv", "--yes", "--json"];
    await expectRefusal(cli(args), "VERIFY_MISMATCH");
    return "refused: VERIFY_MISMATCH, one row differs";
  });
  await run("finalize", async () => {
    await answerOf(cli(["finalize", "--stage", "1", "--file", "scores.csv", "--yes", "--json"]));
    return "stage 1 is finalized";
  });
  await run("push a changed table", async () => {
    await expectRefusal(cli(["push", "changed.csv", "--stage", "1", "--json"]), "STAGE_FINALIZED");
    expectThat((await chainDigest(cli([...verifyArgs, "--json"]))) === digest, "the digest has changed");
    return `refused: STAGE_FINALIZED, the chain's sha256 is still ${shortDigest(digest)}`;
  });
}

/** Returns the object printed by `vipscore … --json`; ends the demo if the command failed. */
async function answerOf<T>(running: ReturnType<ChildCli>): Promise<T> {
  const { status, stdout } = await running;
  expectThat(status === 0, `a command ended with status ${status}`);
  return JSON.parse(stdout) as T;
}

async function expectRefusal(running: ReturnType<ChildCli>, wanted: string): Promise<void> {
  const { status, stdout } = await running;
  expectThat(status === 3, `a command ended with status ${status} instead of 3`);
  const { error } = JSON.parse(stdout) as { readonly error: { readonly code: string } };
  expectThat(error.code === wanted, `a command was refused with a code other than ${wanted}`);
}

async function chainDigest(running: ReturnType<ChildCli>): Promise<string> {
  const { verification } = await answerOf<{ verification: { sha256: { chain: string } } }>(running);
  return verification.sha256.chain;
}

interface JournalSent {
  readonly hash: string;
  readonly rows: number;
}

/** Returns the transactions that a journal recorded before sending; none if the file does not exist. */
async function readJournalSent(file: string): Promise<readonly JournalSent[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  // A last line without a line feed is still being written.
  const lines = text.split("\n").slice(0, -1);
  return lines.flatMap((line) => (JSON.parse(line) as { readonly sent?: JournalSent }).sent ?? []);
}

/** Ends the demo if a condition does not hold; that is a bug in vipscore, not a user error. */
function expectThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`the demo does not show what it claims: ${otherwise}`);
}
