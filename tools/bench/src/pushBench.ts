import { parseArgs } from "node:util";
import { InputError, VipError, type Vm } from "@vipscore/core";
import { vms } from "@vipscore/core/values";
import type { Mempool } from "@vipscore/localnet";
import { readBenchKey } from "./benchKey.ts";
import type { Traffic } from "./countTraffic.ts";
import { measurePush, stores, type PushBenchOptions, type PushFigures, type Store } from "./measurePush.ts";
import { pushCases, type PushCase } from "./pushTarget.ts";

/**
 * Compares a push with sending the same rows with the chain's plain library:
 *
 *     pushBench --vm evm|move|wasm --rows N [--case new|recurring|packed] [--json] [--endpoint URL]
 *               [--block-time 500ms] [--mempool initia|classic] [--store memory|disk] [--rounds 3]
 *               [--ours-only] [--metrics URL]
 *
 * Uses local nodes by default. `--endpoint` names a node (JSON-RPC on EVM, REST on Move, RPC on Wasm); the key comes from
 * PRIVATE_KEY or MNEMONIC and the gas price from GAS_PRICES (Move and Wasm; default: 0umin). Writes only to contracts that
 * it deploys itself. `--metrics` names the node's Prometheus metrics, `http://127.0.0.1:26660/metrics`.
 *
 * `--json` prints one object; every figure is the median of the rounds:
 *
 *     vm, case, rows, rounds, blockTimeMs   the options
 *     mempool, store                  of the local Move or Wasm node; null elsewhere
 *     ours.scoresPerSecond, .seconds  from connecting to the verified stage
 *     ours.phases                     seconds: connect, plan, send, verify
 *     ours.executing                  share of the time in which the node executes blocks; null without its metrics
 *     ours.batches, .rowsPerBatch     transactions with rows, and the rows of the largest
 *     ours.setbacks                   batches that did not succeed at first, in all rounds
 *     ours.traffic                    requests, and bytes up and down, of the last round; .kinds: by kind
 *     tutorial                        null with --ours-only
 *     tutorial.scoresPerSecond, .seconds, .batches, .rowsPerBatch
 *     tutorial.limit                  the node's answer to a larger batch; null if one batch holds all rows
 *     ratio                           ours / tutorial, in scores per second; null with --ours-only
 *     peakMemoryBytes                 of this process, including the tutorial's libraries
 */
const { values } = parseArgs({
  options: {
    vm: { type: "string", default: "" },
    rows: { type: "string", default: "" },
    case: { type: "string", default: "new" },
    rounds: { type: "string", default: "3" },
    endpoint: { type: "string" },
    metrics: { type: "string" },
    "block-time": { type: "string", default: "500ms" },
    mempool: { type: "string", default: "initia" },
    store: { type: "string", default: "memory" },
    "ours-only": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
try {
  const figures = await measurePush(readOptions());
  console.log(values.json ? JSON.stringify(figures) : figureText(figures));
} catch (error) {
  if (!VipError.isVipError(error)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof InputError ? 2 : 1;
}

function readOptions(): PushBenchOptions {
  const { endpoint } = values;
  const gasPrices = process.env["GAS_PRICES"]?.trim() || "0umin";
  return {
    vm: oneOf<Vm>("--vm", values.vm, vms),
    case: oneOf<PushCase>("--case", values.case, pushCases),
    rows: countOf("--rows", values.rows),
    rounds: countOf("--rounds", values.rounds),
    blockTimeMs: countOf("--block-time", values["block-time"].replace(/ms$/, "")),
    mempool: oneOf<Mempool>("--mempool", values.mempool, ["initia", "classic"]),
    store: oneOf<Store>("--store", values.store, stores),
    oursOnly: values["ours-only"],
    metrics: values.metrics,
    ...(endpoint !== undefined && { remote: { endpoint, key: readBenchKey(process.env), gasPrices } }),
  };
}

function oneOf<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((one) => one === text);
  if (choice !== undefined) return choice;
  throw new InputError(`${option} "${text}" is not one of ${choices.join(", ")}`, { code: "CONFIG_INVALID" });
}

function countOf(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InputError(`${option} "${text}" is not a whole number from 1`, { code: "CONFIG_INVALID" });
}

function trafficText({ requests, up, down }: Traffic): string {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2).padStart(7)} MB`;
  return `${String(requests).padStart(5)} requests ${megabytes(up)} up ${megabytes(down)} down`;
}

function figureText({ ours, tutorial, ratio, peakMemoryBytes, ...asked }: PushFigures): string {
  const { connect, plan, send, verify } = ours.phases;
  const speed = (scores: number) => `${scores.toFixed(0).padStart(8)} scores/s`;
  const seconds = (time: number) => `${time.toFixed(2)} s`;
  const lines = [
    `${asked.vm}: ${asked.rows} rows, ${asked.case}, median of ${asked.rounds}, blocks every ${asked.blockTimeMs} ms`,
    `ours     ${speed(ours.scoresPerSecond)}  ${seconds(ours.seconds)}, ${ours.batches} batches of up to ${ours.rowsPerBatch}`,
    `         connect ${seconds(connect)}, plan ${seconds(plan)}, send ${seconds(send)}, verify ${seconds(verify)}`,
    ...(ours.executing === null
      ? []
      : [`         the node executes blocks ${(ours.executing * 100).toFixed(0)}% of it`]),
  ];
  if (tutorial !== null && ratio !== null) {
    const { batches, rowsPerBatch, limit } = tutorial;
    lines.push(
      `tutorial ${speed(tutorial.scoresPerSecond)}  ${seconds(tutorial.seconds)}, ${batches} batches of ${rowsPerBatch}`,
      ...(limit === null ? [] : [`         a larger batch: ${limit}`]),
      `ratio    ${ratio.toFixed(2)}`,
    );
  }
  lines.push(
    `traffic  ${trafficText(ours.traffic)}`,
    ...Object.entries(ours.traffic.kinds)
      .sort(([, a], [, b]) => b.down - a.down)
      .map(([kind, traffic]) => `         ${trafficText(traffic)}  ${kind}`),
    `setbacks ${ours.setbacks}, peak memory ${(peakMemoryBytes / 1_048_576).toFixed(0)} MB`,
  );
  return lines.join("\n");
}
