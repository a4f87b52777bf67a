import { parseArgs } from "node:util";
import { buildSnapshot, verifyProof } from "@vipscore/snapshot";
import { benchTable } from "./benchTable.ts";

/** Measures how long the tree of a stage and all its proofs take, and the memory: `snapshotBench [--rows N]`. */
const { values } = parseArgs({ options: { rows: { type: "string", default: "1000000" } } });
const rows = Number(values.rows);
if (!Number.isSafeInteger(rows) || rows < 1) {
  console.error(`--rows "${values.rows}" is not a number of rows`);
  process.exit(2);
}

function measure<T>(title: string, work: () => T): T {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const result = work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const peak = process.resourceUsage().maxRSS / 1024;
  const cpuSeconds = (user + system) / 1e6;
  console.log(
    `${title.padEnd(14)}${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s, peak RSS ${peak.toFixed(0)} MiB`,
  );
  return result;
}

const table = measure("table", () => benchTable(rows));
const stage = { bridgeId: 1n, stage: 1n, total: table.total };
const snapshot = measure("tree", () => buildSnapshot({ ...stage, rows: table }));
measure("all proofs", () => {
  let hashes = 0;
  for (const { proof } of snapshot) hashes += proof.length;
  return hashes;
});
const { root = "" } = snapshot;
const [leaf] = snapshot;
const isProved = leaf !== undefined && verifyProof({ ...stage, ...leaf, root });
console.log(`${snapshot.size} leaves, root ${root}, first proof ${isProved ? "verifies" : "FAILS"}`);
