import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { playedChainId, playedContract, PlayedLogs } from "@vipscore/testkit/playedLogs";
import { servePlayed } from "@vipscore/testkit/rpcCalls";
import { openRollupNode } from "../src/chain/rollupNode.ts";
import { storedSource } from "../src/data/storedSource.ts";
import { exampleFiles, policyExamples, type PolicyExample } from "../src/examples/exampleFiles.ts";
import { readPolicy } from "../src/files/readPolicy.ts";
import { measureCommand } from "./measureCommand.ts";
import { syntheticSources } from "./syntheticSources.ts";

/**
 * Measures what `vipscore score run` costs over stored events: CPU and memory of all its processes, and the disk. The events are
 * distinct, and the product's own writer stores them before. With `--audit`, the run reads them from a played node, and an audit
 * reads them again. Figures are in docs/performance.md.
 *
 * npm run -w packages/policy bench -- [--size 1M|10M|50M|100M|25M …] [--audit] [--folder <existing folder>]
 */
const sizes: Readonly<Record<string, Size>> = {
  "1M": { events: 1_000_000, accounts: 100_000, examples: ["volume"] },
  "10M": { events: 10_000_000, accounts: 100_000, examples: ["volume"] },
  "50M": { events: 50_000_000, accounts: 1_000_000, examples: ["volume"] },
  "100M": { events: 100_000_000, accounts: 1_000_000, examples: ["volume"] },
  "25M": { events: 25_000_000, accounts: 1_000_000, examples: policyExamples },
};

interface Size {
  readonly events: number;
  readonly accounts: number;
  readonly examples: readonly PolicyExample[];
}

const seed = 34;
/** The event of a played node, with the names of the example's query. */
const playedTrades = "event Transfer(address indexed trader, address indexed receiver, uint256 volume)";
const command = [process.execPath, fileURLToPath(new URL("../../cli/dist/bin.js", import.meta.url))];
const { values } = parseArgs({
  options: {
    size: { type: "string", multiple: true, default: ["1M", "10M", "50M"] },
    audit: { type: "boolean", default: false },
    folder: { type: "string", default: tmpdir() },
  },
});
/** The folder with the data, which go to many gigabytes. */
let benchFolder = "";
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    if (benchFolder !== "") rmSync(benchFolder, { recursive: true, force: true, maxRetries: 3 });
    process.exit(1);
  });
}
console.log(`seed ${seed}`);
for (const name of values.size) {
  const size = sizes[name];
  if (size === undefined) throw new Error(`--size is one of ${Object.keys(sizes).join(", ")}`);
  for (const example of size.examples) await bench(name, example, size);
}

async function bench(name: string, example: PolicyExample, { events, accounts }: Size): Promise<void> {
  const folder = await mkdtemp(join(values.folder, "vipscore-bench-"));
  benchFolder = folder;
  const played = new PlayedLogs(events);
  const { height } = played;
  const { url, close } = await servePlayed(played);
  try {
    await mkdir(join(folder, "policy"));
    const files = await exampleFiles({ example, vm: "evm", chainId: playedChainId, contract: playedContract });
    for (const [file, text] of files) await writeFile(join(folder, "policy", file), withWindow(text, height));
    console.log(`${name.padEnd(5)}${example.padEnd(12)}${events.toLocaleString("en-US")} events`);
    if (values.audit) {
      await benchAudit(folder, url);
      return;
    }
    const started = process.cpuUsage();
    await store(folder, { events, accounts, url, height });
    console.log(`  stored in ${cpuSince(started).toFixed(0)} s CPU`);
    await measure("score run", runOf(url), folder);
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures a run that reads the node, and the audit of its scores, which reads the node again. */
async function benchAudit(folder: string, url: string): Promise<void> {
  const path = join(folder, "policy", "policy.toml");
  await writeFile(path, (await readFile(path, "utf8")).replace(/^event = .*$/mu, `event = "${playedTrades}"`));
  await measure("score run", runOf(url), folder);
  const auditor = join(folder, "auditor");
  await mkdir(auditor);
  const audit = ["audit", "../scores.manifest.json", "--policy", "../policy", "--vm", "evm", "--endpoint", url];
  await measure("audit", audit, auditor);
}

function runOf(url: string): readonly string[] {
  return ["score", "run", "policy", "--stage", "1", "--out", "scores.csv", "--vm", "evm", "--endpoint", url];
}

/** Runs a command in a folder, and prints what it cost. */
async function measure(name: string, args: readonly string[], folder: string): Promise<void> {
  const started = process.cpuUsage();
  const { cpuSeconds, wallSeconds, peakRss, peakDisk } = await measureCommand([...command, ...args], folder);
  console.log(
    [
      `  ${name.padEnd(12)}${cpuSeconds.toFixed(1)} s CPU`,
      `${wallSeconds.toFixed(1)} s`,
      `peak ${mebibytes(peakRss)}`,
      `${mebibytes(peakDisk)} of disk`,
      `the node and this bench ${cpuSince(started).toFixed(1)} s CPU`,
    ].join("  "),
  );
}

function cpuSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
}

/** Stores made-up events where the command finds them. */
async function store(
  folder: string,
  { events, accounts, url, height }: { events: number; accounts: number; url: string; height: number },
): Promise<void> {
  const policy = await readPolicy(join(folder, "policy"));
  const node = openRollupNode("evm", url);
  const options = { node, chainId: playedChainId, folder: join(folder, ".vipscore", "data") };
  for (const source of syntheticSources(policy, { events, height, accounts, seed, node })) {
    await storedSource(source, { ...options, window: { first: 1, last: height } }).collect({ folder });
  }
}

/** The window has all blocks. */
function withWindow(text: string, height: number): string {
  return text.replace("[[source]]", `[window]\nblocks = [1, ${height}]\n\n[[source]]`);
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20).toLocaleString("en-US")} MiB`;
}
