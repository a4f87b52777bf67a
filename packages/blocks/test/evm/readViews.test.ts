import { expect, test } from "vitest";
import { isCallFailure, RpcError } from "@vipscore/core/wire";
import { playNode, type PlayedAnswer, type SeenCall } from "@vipscore/testkit/scriptedServer";
import { openEvmRpc } from "../../src/evm/evmRpc.ts";
import { viewReader, type View } from "../../src/evm/readViews.ts";
import type { HexAddress } from "../../src/hexAddress.ts";

const { signal } = new AbortController();
const good: HexAddress = `0x${"11".repeat(20)}`;
const bad: HexAddress = `0x${"22".repeat(20)}`;
const plain = (answer: HexAddress) => answer;
const failed: unknown = expect.any(RpcError);
const identity = `0x${"0".repeat(39)}4`;
const viewAt = (to: HexAddress, height: number): View => ({ to, data: "0x06fdde03", height, gas: 1_000 });

interface Asked {
  readonly to: string;
  readonly tag: string;
}

function play(answer: (asked: Asked) => PlayedAnswer) {
  return playNode(({ params }: SeenCall) => {
    const [{ to }, tag] = params as [{ to: string }, string];
    return answer({ to, tag });
  });
}

const refused = (message: string, code = -32000): PlayedAnswer => ({ error: { code, message } });

test.each([
  // geth, anvil, Hardhat, minievm (recorded), erigon
  "execution reverted",
  "execution reverted: ERC721: invalid token ID",
  "EVM error OutOfGas",
  "VM Exception while processing transaction: invalid opcode",
  "Reverted",
  "execution aborted (timeout = 5s)",
  "invalid jump destination",
  "stack limit reached 1024 (1023)",
])("%j is the contract's failure", async (message) => {
  const { url, requests } = await play(({ to }) => (to === bad ? refused(message) : { result: "0x01" }));
  expect(await viewReader(openEvmRpc(url))([viewAt(bad, 5), viewAt(good, 5)], plain, signal)).toEqual([failed, "0x01"]);
  expect(requests).toHaveLength(1);
});

test("an unknown error text takes the place of its answer alone, and is the node's", async () => {
  const { url } = await play(({ to }) => (to === bad ? refused("quux 17") : { result: "0x01" }));
  const read = viewReader(openEvmRpc(url, { patienceMs: 300 }));
  const [first, second] = await read([viewAt(bad, 5), viewAt(good, 5)], plain, signal);
  expect([first, second]).toEqual([failed, "0x01"]);
  expect(isCallFailure(first)).toBe(false);
});

test("an unknown error text that occurs only once is not the contract's failure", async () => {
  let isFirst = true;
  const { url } = await play(() => {
    if (!isFirst) return { result: "0x01" };
    isFirst = false;
    return refused("internal error", -32603);
  });
  expect(await viewReader(openEvmRpc(url))([viewAt(good, 5)], plain, signal)).toEqual(["0x01"]);
});

test("a node that serves no calls at all is an error, not an empty name", async () => {
  const { url } = await play(() => refused("quux 17"));
  const read = viewReader(openEvmRpc(url, { patienceMs: 300 }));
  await expect(read([viewAt(good, 5)], plain, signal)).rejects.toMatchObject({
    code: "NODE_ERROR",
  });
});

test("pruned state is read at the newest block, from then on without retries", async () => {
  const asked: Asked[] = [];
  const { url } = await play((call) => {
    asked.push(call);
    if (call.tag !== "latest" && Number(call.tag) <= 100)
      return refused("missing trie node 0a1b (path ) state is not available");
    return call.to === bad ? refused("quux 17") : { result: call.tag === "latest" ? "0x02" : "0x01" };
  });
  const read = viewReader(openEvmRpc(url, { patienceMs: 300 }));
  const views = [viewAt(good, 99), viewAt(good, 100), viewAt(good, 101), viewAt(bad, 100), viewAt(bad, 101)];
  expect(await read(views, plain, signal)).toEqual(["0x02", "0x02", "0x01", failed, failed]);
  asked.length = 0;
  expect(await read([viewAt(good, 98)], plain, signal)).toEqual(["0x02"]);
  expect(asked).toEqual([{ to: good, tag: "latest" }]);
});

test("a contract that cannot fail shows whether the node can answer", async () => {
  const asked: string[] = [];
  const { url } = await play(({ to }) => {
    asked.push(to);
    return to === bad ? refused("quux 17") : { result: "0x" };
  });
  await viewReader(openEvmRpc(url, { patienceMs: 300 }))([viewAt(bad, 5)], plain, signal);
  expect(asked).toContain(identity);
});

test.each([{ result: 7 }, { result: "0x0" }, { result: "name" }])("%j is not an answer to a call", async (answer) => {
  const { url } = await play(() => answer);
  await expect(viewReader(openEvmRpc(url))([viewAt(good, 5)], plain, signal)).rejects.toMatchObject({
    code: "NODE_BAD_RESPONSE",
  });
});
