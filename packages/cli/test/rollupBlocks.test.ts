import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Vm } from "@vipscore/core";
import { startHardhat, startVipnode, type LocalNode } from "@vipscore/localnet";
import { script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { openRollupBlocks, type RollupBlock, type RollupBlocks } from "../src/nft/rollupBlocks.ts";

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

  test("are read: the newest, one at a height, undefined for a future one", async () => {
    const newest = await blocks.read();
    expect(newest?.chainId).toBe(node.chainId);
    expect(newest?.time).toBeGreaterThan(1_700_000_000_000);
    const height = newest?.height ?? 0;
    expect(await blocks.read(height)).toEqual(newest);
    expect(newest?.hash === undefined).toBe(vm !== "evm");
    expect(await blocks.read(height + 10_000)).toBeUndefined();
  });
});

describe("retries a block that cannot be read once", () => {
  const header = { chain_id: "x-1", height: "7", time: "2026-11-21T06:06:15.640122012Z" };
  const block = { block: { header } };
  const hash = `0x${"Ab".repeat(32)}`;
  const result = (value: unknown): ScriptedAnswer => ({ body: { jsonrpc: "2.0", id: 1, result: value } });
  const time = Date.parse("2026-11-21T06:06:15.640Z");

  test.each<[Vm, string, readonly ScriptedAnswer[], RollupBlock]>([
    [
      "evm",
      "/",
      [result({}), result({ number: "0x7", timestamp: "0x6553f100", hash }), result({}), result("0x1f")],
      { height: 7, time: 1_700_000_000_000, chainId: "31", hash: hash.toLowerCase() },
    ],
    [
      "move",
      "/cosmos/base/tendermint/v1beta1/blocks/7",
      [{ body: { block: null } }, { body: block }],
      { height: 7, time, chainId: "x-1", hash: undefined },
    ],
    ["wasm", "/", [result({ block: {} }), result(block)], { height: 7, time, chainId: "x-1", hash: undefined }],
  ])("%s", async (vm, path, answers, expected) => {
    const { url, requests } = await script({ [path]: answers });
    expect(await openRollupBlocks(vm, url, new AbortController().signal).read(7)).toEqual(expected);
    expect(requests).toHaveLength(answers.length);
  });
});
