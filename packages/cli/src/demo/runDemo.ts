import { randomInt } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHardhat, writeNodeFile, type LocalNode } from "@vipscore/localnet";
import type { Context } from "../context.ts";
import { runChildCli } from "./childCli.ts";
import { DemoReport } from "./demoReport.ts";
import { showSteps, type DemoScene } from "./demoSteps.ts";
import { makeDemoRows, toCsv } from "./demoTable.ts";

const rowCount = 10_000;
/** Fast, yet with several transactions under way at a time, as on a rollup. */
const blockTimeMs = 100;
/** The row that the changed table gives another score. */
const changedRow = 4711;
/** Settings of the caller that must not lead the demo to a real chain or key. */
const foreignSettings = new Set([
  "JSON_RPC_URL",
  "CONTRACT_ADDRESS",
  "CHAIN_ID",
  "INIT_STAGE",
  "PRIVATE_KEY",
  "KEYSTORE_PASSWORD",
]);

/**
 * Shows on a local chain what a push survives. Every step runs the real command in a process of its own and checks what
 * it claims; the first one that fails ends the demo with an error. Works in a temporary folder and removes it.
 */
export async function runDemo({ io, output }: Context, seed = randomInt(2 ** 32)): Promise<void> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "vipscore-demo-"));
  const report = new DemoReport(output);
  const env = Object.fromEntries(Object.entries(io.env).filter(([name]) => !foreignSettings.has(name)));
  const onLine = (line: string): void => output.note(output.paintNote("dim", `  ${line}`));
  const cli: DemoScene["cli"] = (args, more) =>
    runChildCli(args, { cwd: folder, env, signal: io.signal, onLine, ...more });
  let node: LocalNode | undefined;
  try {
    output.note(`seed ${seed}: \`vipscore demo --seed ${seed}\` makes the same scores again`);
    node = await startHardhat({ blockTimeMs });
    await writeNodeFile(folder, node);
    const rows = makeDemoRows(seed, rowCount);
    const total = rows.reduce((sum, { score }) => sum + score, 0n);
    await writeFile(join(folder, "scores.csv"), toCsv(rows));
    const changed = rows.map(({ address, score }, row) => ({
      address,
      score: row === changedRow ? score + 1n : score,
    }));
    await writeFile(join(folder, "changed.csv"), toCsv(changed));
    await showSteps(report, { folder, rpcUrl: node.rpcUrl, rows: rowCount, total, cli });
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    output.note("");
    output.print(`${report.table()}\n\nall of it shown in ${seconds} s, seed ${seed}`);
    output.json({ command: "demo", seed, rows: rowCount, total, steps: report.steps, seconds });
  } finally {
    await node?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
