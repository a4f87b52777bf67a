import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { Vm } from "@vipscore/core";
import { writeNodeFile, type L1Endpoint } from "@vipscore/core/nodeFile";
import { startHardhat, startVipnode, testAccounts, type HardhatOptions, type LocalNode } from "@vipscore/localnet";
import { isLong } from "@vipscore/testkit/isLong";
import { run, type Clock, type Io, type OutputStream } from "../src/index.ts";

/** The result of a command. */
export interface CliResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one object on stdout. */
  json(): JsonObject;
}

export interface JsonObject {
  readonly [key: string]: JsonValue;
}
export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];

export interface CliOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Text typed on the terminal; makes stdin and stderr a terminal. */
  readonly typed?: string;
  /** True if stdout and stderr are a terminal. */
  readonly terminal?: boolean;
  /** Width of the terminal. Default: it reports none. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  readonly cwd?: string;
  /** Default: this machine's clock. */
  readonly clock?: Clock;
  /** The hardware wallet that `--ledger` finds. */
  readonly openDevice?: Io["openDevice"];
  /** Called with the command's stdout output. */
  readonly onOutput?: (text: string) => void;
  /** Called with the command's stderr output. */
  readonly onError?: (text: string) => void;
}

class TextStream implements OutputStream {
  text = "";
  readonly isTTY: boolean;
  readonly columns: number | undefined;

  readonly #onText: (text: string) => void;

  constructor(isTTY: boolean, columns?: number, onText: (text: string) => void = () => undefined) {
    this.isTTY = isTTY;
    this.columns = columns;
    this.#onText = onText;
  }

  write(text: string): void {
    this.text += text;
    this.#onText(text);
  }
}

/** The output of all commands in this test process, to search for secrets. */
export const allOutput: string[] = [];

/** Runs one command in this process. */
export async function runCli(args: readonly string[], cwd: string, options: CliOptions = {}): Promise<CliResult> {
  const isTerminal = options.terminal === true || options.typed !== undefined;
  const stdout = new TextStream(isTerminal, options.columns, options.onOutput);
  const stderr = new TextStream(isTerminal, options.columns, options.onError);
  const stdin = Object.assign(new PassThrough(), { isTTY: options.typed !== undefined });
  if (options.typed !== undefined) stdin.write(options.typed);
  const status = await run(args, {
    stdin,
    stdout,
    stderr,
    env: options.env ?? {},
    cwd: options.cwd ?? cwd,
    signal: options.signal ?? new AbortController().signal,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.openDevice === undefined ? {} : { openDevice: options.openDevice }),
  });
  allOutput.push(stdout.text, stderr.text);
  const json = (): JsonObject => {
    if (!/^\{.*\}\n$/.test(stdout.text))
      throw new Error(`stdout is not one JSON object: ${stdout.text}\n${stderr.text}`);
    return JSON.parse(stdout.text) as JsonObject;
  };
  return { status, stdout: stdout.text, stderr: stderr.text, json };
}

/** The VMs of tests that run the same code of `@vipscore/cosmos` on Move and Wasm: one of the two by day. */
export const dailyVms: readonly Vm[] = isLong ? ["evm", "move", "wasm"] : ["evm", "move"];

export const startNode = (vm: Vm): Promise<LocalNode> => (vm === "evm" ? startHardhat() : startVipnode({ vm }));

/** A folder whose commands use a local chain. */
export interface TestFolder extends AsyncDisposable {
  readonly cwd: string;
  cli(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** Runs a command with `--json` that must succeed. Returns its object. */
  ok(args: readonly string[], options?: CliOptions): Promise<JsonObject>;
  /** Deploys the contract for later commands: a new one on EVM, the deployer's only one on Move. */
  deploy(initStage?: number, more?: readonly string[]): Promise<string>;
  write(name: string, text: string | Uint8Array): Promise<string>;
}

/** Creates a folder for a running chain; disposing it stops the chain. */
export async function openTestFolder(node: LocalNode, l1?: L1Endpoint): Promise<TestFolder> {
  const cwd = await mkdtemp(join(tmpdir(), "vipscore-cli-"));
  // As in a real process, so that messages show file names as given.
  process.chdir(cwd);
  await writeNodeFile(cwd, l1 === undefined ? node : { ...node, l1 });
  const folder: TestFolder = {
    cwd,
    cli: (args, more) => runCli(args, cwd, more),
    ok: async (args, more) => {
      const result = await runCli([...args, "--json"], cwd, more);
      if (result.status !== 0) throw new Error(`status ${result.status}: ${result.stderr}`);
      return result.json();
    },
    deploy: async (initStage = 1, more = []) => {
      const { contract } = await folder.ok(["deploy", "--init-stage", `${initStage}`, ...more]);
      return (contract as { readonly address: string }).address;
    },
    write: async (name, text) => {
      await writeFile(join(cwd, name), text);
      return name;
    },
    [Symbol.asyncDispose]: async () => {
      await node.stop();
      process.chdir(tmpdir());
      await rm(cwd, { recursive: true, force: true });
    },
  };
  return folder;
}

/** A local EVM chain and a folder whose commands use it. */
export interface TestChain extends TestFolder {
  readonly node: LocalNode;
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Number of transactions that the test accounts have sent, including pending ones. */
  transactionsSent(): Promise<number>;
}

export async function startTestChain(options: HardhatOptions = {}, l1?: L1Endpoint): Promise<TestChain> {
  const node = await startHardhat(options);
  const folder = await openTestFolder(node, l1);
  const rpc = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(node.rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const answer = (await response.json()) as {
      readonly result?: unknown;
      readonly error?: { readonly message: string };
    };
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer.result;
  };
  const transactionsSent = async (): Promise<number> => {
    let sent = 0;
    for (const { address } of Object.values(testAccounts))
      sent += Number(await rpc("eth_getTransactionCount", [address, "pending"]));
    return sent;
  };
  return { ...folder, node, rpc, transactionsSent };
}

/** The address `0x00…<number>` in lower-case hex; 0 is the zero address. */
export function addressOf(number: number): string {
  return `0x${number.toString(16).padStart(40, "0")}`;
}

/** A CSV of `rows` accounts with the scores 1000, 1001, … */
export function csvOf(rows: number, firstScore = 1000): string {
  let text = "address,score\n";
  for (let row = 0; row < rows; row += 1) text += `${addressOf(0xabc000 + row)},${firstScore + row}\n`;
  return text;
}

/** The code of a command's error in JSON. */
export const codeOf = (result: CliResult): unknown => (result.json()["error"] as JsonObject)["code"];
