import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { playedChainId, playedContract, PlayedLogs } from "@vipscore/testkit/playedLogs";
import { openRollupNode } from "../src/chain/rollupNode.ts";
import { storedSource } from "../src/data/storedSource.ts";
import { exampleFiles, policyExamples, type PolicyExample } from "../src/examples/exampleFiles.ts";
import { readPolicy } from "../src/files/readPolicy.ts";
import { measureCommand } from "./measureCommand.ts";
import { syntheticSources } from "./syntheticSources.ts";

/**
 * Measures what `vipscore score run` costs over stored events: CPU and memory of all its processes, and the disk. The events are
 * distinct, and the product's own writer stores them before. Figures are in docs/performance.md.
 *
 * npm run bench:policy -- [--size 1M|10M|50M|100M …] [--folder <existing folder>]
 */
const sizes: Readonly<Record<string, Size>> = {
  "1M": { events: 1_000_000, accounts: 100_000, examples: ["volume"] },
  "10M": { events: 10_000_000, accounts: 100_000, examples: ["volume"] },
  "50M": { events: 50_000_000, accounts: 1_000_000, examples: ["volume"] },
  // A quarter of the events each.
  "100M": { events: 25_000_000, accounts: 1_000_000, examples: policyExamples },
};

interface Size {
  readonly events: number;
  readonly accounts: number;
  readonly examples: readonly PolicyExample[];
}

const seed = 34;
const command = [process.execPath, fileURLToPath(new URL("../../cli/dist/bin.js", import.meta.url))];
const { values } = parseArgs({
  options: {
    size: { type: "string", multiple: true, default: ["1M", "10M", "50M"] },
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
  const node = await playNode(events);
  try {
    await mkdir(join(folder, "policy"));
    const files = await exampleFiles({ example, vm: "evm", chainId: playedChainId, contract: playedContract });
    for (const [file, text] of files) await writeFile(join(folder, "policy", file), withWindow(text, node.height));
    const started = process.cpuUsage();
    await store(folder, { events, accounts, url: node.url, height: node.height });
    const { user, system } = process.cpuUsage(started);
    const data = join(folder, ".vipscore", "data");
    const run = [
      "score",
      "run",
      "policy",
      "--stage",
      "1",
      "--out",
      "scores.csv",
      "--vm",
      "evm",
      "--endpoint",
      node.url,
    ];
    const { cpuSeconds, wallSeconds, peakRss } = await measureCommand([...command, ...run], folder);
    console.log(
      [
        `${name.padEnd(5)}${example.padEnd(12)}${events.toLocaleString("en-US")} events`,
        `${cpuSeconds.toFixed(1)} s CPU`,
        `${wallSeconds.toFixed(1)} s`,
        `peak ${mebibytes(peakRss)}`,
        `${mebibytes(await sizeOf(data))} stored, in ${((user + system) / 1e6).toFixed(0)} s CPU`,
      ].join("  "),
    );
  } finally {
    await node.close();
    await rm(folder, { recursive: true, force: true });
  }
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

/** A node that has the blocks, and no logs. */
async function playNode(events: number): Promise<{ url: string; height: number; close: () => Promise<void> }> {
  const played = new PlayedLogs(events);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => response.end(played.answer(Buffer.concat(chunks).toString())));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the played node has no port");
  return { url: `http://127.0.0.1:${address.port}`, height: played.height, close };
}

async function sizeOf(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20).toLocaleString("en-US")} MiB`;
}
