import { expect, it } from "vitest";
import type { Vm } from "@vipscore/core";
import { measurePush } from "../src/measurePush.ts";
import type { PushCase } from "../src/pushTarget.ts";

const rows = 40;
const options = { case: "new", rows, rounds: 1, blockTimeMs: 100, mempool: "initia", store: "memory" } as const;

// The reference's shape in Solidity and in Move must be compiled first: test-long runs the plain library for these.
it.each<Vm>(["evm", "move"])("pushes a few rows on %s", async (vm) => {
  const { ours, ...figures } = await measurePush({ ...options, vm, oursOnly: true });
  expect(ours).toMatchObject({ batches: 1, rowsPerBatch: rows, setbacks: 0 });
  if (vm === "evm") expect(ours.executing).toBeNull();
  else expect(Math.ceil(ours.executing ?? 0)).toBe(1);
  const { kinds, ...all } = ours.traffic;
  const sent = kinds[vm === "evm" ? "eth_sendRawTransaction" : "POST /cosmos/tx/v1beta1/txs"];
  expect(sent).toMatchObject({ requests: 1 });
  expect(sent?.up).toBeGreaterThan(rows * 20);
  expect(all.requests).toBe(Object.values(kinds).reduce((sum, { requests }) => sum + requests, 0));
  expect(all.down).toBeGreaterThan(sent?.down ?? 0);
  expect(figures).toMatchObject({ tutorial: null, ratio: null, mempool: vm === "evm" ? null : "initia" });
});

it.each<PushCase>(["recurring", "packed"])("pushes the accounts of the stage before, %s", async (pushCase) => {
  const asked = { ...options, vm: "move", case: pushCase, store: "disk" } as const;
  const { ours, ...figures } = await measurePush({ ...asked, oursOnly: true });
  expect(ours).toMatchObject({ batches: 1, rowsPerBatch: rows, setbacks: 0 });
  expect(figures).toMatchObject({ case: pushCase, store: "disk" });
});

it("pushes a few rows both ways on wasm", async () => {
  const { ours, tutorial, ratio } = await measurePush({ ...options, vm: "wasm", oursOnly: false });
  expect(ours).toMatchObject({ batches: 1, rowsPerBatch: rows, setbacks: 0 });
  // One batch of the plain library holds all rows too, so nothing was refused.
  expect(tutorial).toMatchObject({ batches: 1, rowsPerBatch: rows, limit: null });
  expect(ratio).toBeCloseTo(ours.scoresPerSecond / (tutorial?.scoresPerSecond ?? 0));
});
