import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { BroadcastError, ScoreTable, stage, type PushPlan } from "@vipscore/core";
import { Output } from "../output/output.ts";
import { Scrubber } from "../output/scrubber.ts";
import { PushProgress } from "./sendPlan.ts";

function planOf(rows: number, batches: number): PushPlan {
  return {
    stage: stage(1n),
    table: ScoreTable.from([]),
    prune: false,
    packed: false,
    height: 7n,
    chain: { total: 0n, accounts: 0, revision: 0n },
    counts: { add: rows, change: 0, unchanged: 0, toZero: 0, extra: 0 },
    rows: Array.from({ length: rows }, () => ({
      account: "0x01" as never,
      score: 1n,
      current: undefined,
      gas: 1n,
      packed: false,
    })),
    batches: Array.from({ length: batches }, () => ({ rows: [], gas: 1n })),
    gas: 1n,
    price: 1n,
    maxFee: 3n,
    otherEntryPoint: undefined,
    fees: undefined,
    quote: { gasPrice: { amount: 1n, per: 1n }, token: { symbol: "GAS", decimals: 18 } },
  };
}

test("without a terminal: a line for each batch, setbacks and new plans", () => {
  let text = "";
  const stream = { write: (more: string) => (text += more) };
  const io = {
    stdin: new PassThrough(),
    stdout: stream,
    stderr: stream,
    env: {},
    cwd: "/",
    signal: AbortSignal.abort(),
  };
  const progress = new PushProgress(new Output(io, { json: false, scrubber: new Scrubber() }), planOf(100, 2));
  try {
    progress.show({ type: "sent", hash: "0xaa", sequence: 1n, rows: 40, gas: 1n });
    progress.show({ type: "confirmed", hash: "0xaa", rows: 40, height: 8n, gasUsed: 2_000_000n });
    const error = new BroadcastError("too large", { refusal: "too-large" });
    progress.show({ type: "setback", rows: 60, error });
    progress.show({ type: "replanned", plan: planOf(60, 2) });
    progress.show({ type: "sent", hash: "0xbb", sequence: 2n, rows: 60, gas: 1n });
    progress.show({ type: "confirmed", hash: "0xbb", rows: 60, height: 9n, gasUsed: 3n });
  } finally {
    progress.stop();
  }
  expect(progress.rowsDone).toBe(100);
  expect(text.split("\n")).toEqual([
    "batch 1 of 2  40/100 rows  block 8  gas 2.0 M  0xaa",
    expect.stringMatching(/^warning {2}.*\b60\b.*too large$/),
    expect.stringMatching(/\b7\b.*\b60\b/),
    "batch 2 of 2  100/100 rows  block 9  gas 3  0xbb",
    "",
  ]);
});

test.each([
  [120, /^sending .*\b40\/100 .*\bbatches\b.*\bflight\b.*\/s .*\bleft$/],
  [80, /^sending .*█.*\b40\/100 .*\/s .*\bleft\b/],
  [60, /^sending +40\/100 .*\/s .*\bleft$/],
])("on a terminal of %i columns, rate and time left stay", (columns, line) => {
  let text = "";
  const stream = { isTTY: true, columns, write: (more: string) => (text += more) };
  const io = {
    stdin: new PassThrough(),
    stdout: stream,
    stderr: stream,
    env: {},
    cwd: "/",
    signal: AbortSignal.abort(),
  };
  const progress = new PushProgress(new Output(io, { json: false, scrubber: new Scrubber() }), planOf(100, 2));
  try {
    progress.show({ type: "confirmed", hash: "0xaa", rows: 40, height: 8n, gasUsed: 2n });
  } finally {
    progress.stop();
  }
  const [, shown = ""] = text.split("\u001b[2K");
  expect(shown).toMatch(line);
  expect(shown.length).toBeLessThan(columns);
});
