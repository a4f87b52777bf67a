import type { Vm } from "@vipscore/core";
import { startHardhat, startVipnode, type LocalNode } from "@vipscore/localnet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRollupBlocks, type RollupBlocks } from "../src/nft/rollupBlocks.ts";

const starts: readonly (readonly [Vm, () => Promise<{ readonly node: LocalNode; readonly url: string }>])[] = [
  ["evm", () => startHardhat().then((node) => ({ node, url: node.rpcUrl }))],
  ["move", () => startVipnode({ vm: "move", blockTimeMs: 100 }).then((node) => ({ node, url: node.restUrl }))],
  ["wasm", () => startVipnode({ vm: "wasm", blockTimeMs: 100 }).then((node) => ({ node, url: node.rpcUrl }))],
];

describe.each(starts)("the blocks of a rollup on %s", (vm, start) => {
  let node: LocalNode;
  let blocks: RollupBlocks;

  beforeAll(async () => {
    const started = await start();
    ({ node } = started);
    blocks = openRollupBlocks(vm, started.url, new AbortController().signal);
  });
  afterAll(() => node.stop());

  test("are read: the newest, one at a height, none that is not there yet", async () => {
    const newest = await blocks.read();
    expect(newest?.chainId).toBe(node.chainId);
    expect(newest?.time).toBeGreaterThan(1_700_000_000_000);
    const height = newest?.height ?? 0;
    expect(await blocks.read(height)).toEqual(newest);
    expect(newest?.hash === undefined).toBe(vm !== "evm");
    expect(await blocks.read(height + 10_000)).toBeUndefined();
  });
});
