import { afterAll, beforeAll, expect, test } from "vitest";
import { serveJsonRpc, type LoopbackServer } from "@vipscore/localnet";
import { collectSource } from "./collectSource.ts";

const [first, newest] = [613, 1000];
let server: LoopbackServer;
let methods: string[] = [];

/** A node that has pruned the blocks before `first`. */
beforeAll(async () => {
  server = await serveJsonRpc((method, [height]) => Promise.resolve(answer(method, height)), 0);
});
afterAll(() => server.close());

function answer(method: string, height: unknown): unknown {
  methods.push(method);
  if (method === "eth_chainId") return "0x1";
  if (method === "eth_blockNumber") return `0x${newest.toString(16)}`;
  if (method === "eth_getCode") return "0x00";
  if (method !== "eth_getBlockByNumber") return [];
  const number = Number(height);
  if (number < first || number > newest) return null;
  return { number: height, hash: `0x${number.toString(16).padStart(64, "0")}`, timestamp: height, transactions: [] };
}

const collect = (blocks: readonly [number, number], startHeight = blocks[0]) => {
  methods = [];
  const source = `kind = "evm_events"\ncontracts = ["0x${"ab".repeat(20)}"]\nevent = "event Paid(uint256 amount)"`;
  const node = { vm: "evm", rpcUrl: server.url, chainId: "1" } as const;
  return collectSource(node, `${source}\nstart_height = ${startHeight}\nmay_be_empty = true`, { blocks });
};

test.each([
  ["the window", [400, 900], 400],
  ["a source before the window", [700, 900], 1],
] as const)("without the first block of %s, the error names the first one that is there", async (_, blocks, start) => {
  await expect(collect(blocks, start)).rejects.toMatchObject({
    code: "NODE_UNREACHABLE",
    shortMessage: expect.stringMatching(new RegExp(`\\b${start}\\b.*\\b${first}\\b`)),
  });
  expect(methods).not.toContain("eth_getLogs");
});

test("the blocks that are there are read", async () => {
  expect((await collect([first, newest])).rows).toEqual([]);
});
