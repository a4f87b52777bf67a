import { beforeAll, expect, test } from "vitest";
import { startHardhat } from "@vipscore/localnet";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { started } from "@vipscore/testkit/started";
import { Wallet } from "../evm/wallet.ts";
import { policyOfNfts, type CountedChain } from "./policyOfNfts.ts";
import { servedHoldings } from "./served.ts";

const alice = `0x${"a1".repeat(20)}`;
const bob = `0x${"b0".repeat(20)}`;
const node = started(() => startHardhat());
let chain: CountedChain;
beforeAll(async () => {
  chain = { vm: "evm", url: node.rpcUrl, chainId: node.chainId };
});

async function request<T>(method: string, params: readonly unknown[] = []): Promise<T> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = (await (await fetch(node.rpcUrl, { method: "POST", body })).json()) as { readonly result: T };
  return answer.result;
}

test("holdings over time, and at the end those that the indexer serves", async () => {
  const wallet = new Wallet(node.rpcUrl);
  const nft = await wallet.deploy(await readDemoNft(), "Cats", "CAT");
  const other = await wallet.deploy(await readDemoNft(), "Dogs", "DOG");
  const { height: minted } = await nft.send("mint", [alice, alice, bob, bob]);
  await other.send("mint", [alice]);
  const { height: moved } = await nft.send("transferMany", [1n], [bob]);
  await nft.send("transferMany", [2n, 2n], [bob, alice]);
  const { height: burned } = await nft.send("burn", [3n]);
  const { height: last } = await other.send("mint", [bob]);
  const served = await servedHoldings({ jsonRpcUrl: node.rpcUrl }, nft.address, last);
  await nft.send("transferMany", [1n, 2n], [alice, bob]);

  const policy = await policyOfNfts(chain, nft.address);
  const { over, held } = await policy.collect({ first: minted, last });
  const blocks = (first: number, end: number) => [first, end, end - first + 1];
  expect(over).toEqual([
    ["1", alice, ...blocks(minted, moved - 1)],
    ["1", bob, ...blocks(moved, last)],
    ["2", alice, ...blocks(minted, last)],
    ["3", bob, ...blocks(minted, burned - 1)],
    ["4", bob, ...blocks(minted, last)],
  ]);
  expect(held).toEqual([
    ["1", bob, moved],
    ["2", alice, minted],
    ["4", bob, minted],
  ]);
  expect(held.map(([tokenId, owner]) => [tokenId, owner])).toEqual(served);

  // Another window needs no other data, and clips the periods.
  let read = 0;
  const narrow = await policy.collect({ first: moved, last }, { onProgress: ({ height }) => (read += last - height) });
  expect(read).toBe(0);
  expect(narrow.over).toEqual([
    ["1", bob, ...blocks(moved, last)],
    ["2", alice, ...blocks(moved, last)],
    ["3", bob, ...blocks(moved, burned - 1)],
    ["4", bob, ...blocks(moved, last)],
  ]);
});

test("a run that ends in the middle goes on where it stopped", async () => {
  const wallet = new Wallet(node.rpcUrl);
  const nft = await wallet.deploy(await readDemoNft(), "Cats", "CAT");
  const { height: minted } = await nft.send("mint", [alice, bob]);
  // More than the blocks of a stored part.
  await request("hardhat_mine", ["0x18a88"]);
  const { height: moved } = await nft.send("transferMany", [1n], [bob]);
  await request("hardhat_mine", ["0x400"]);
  const window = { first: minted, last: Number(await request<string>("eth_blockNumber")) };

  const policy = await policyOfNfts(chain, nft.address);
  const ending = new AbortController();
  const heights: number[] = [];
  const interrupted = policy.collect(window, {
    signal: ending.signal,
    onProgress: ({ height }) => {
      heights.push(height);
      if (height > 0) ending.abort(new Error("ended"));
    },
  });
  await expect(interrupted).rejects.toThrow("ended");
  expect(heights).toHaveLength(2);
  expect(heights.at(-1)).toBeLessThan(moved);
  const again: number[] = [];
  const { over } = await policy.collect(window, { onProgress: ({ height }) => again.push(height) });
  expect(again[0]).toBe(heights.at(-1));
  expect(over).toEqual([
    ["1", alice, minted, moved - 1, moved - minted],
    ["1", bob, moved, window.last, window.last - moved + 1],
    ["2", bob, minted, window.last, window.last - minted + 1],
  ]);

  // An earlier end reads nothing, and a later one only what is new.
  const earlier: number[] = [];
  const shorter = { first: minted, last: moved - 1 };
  const before = await policy.collect(shorter, { onProgress: ({ height }) => earlier.push(height) });
  expect(earlier).toEqual([shorter.last, shorter.last]);
  expect(before.over).toEqual([
    ["1", alice, minted, shorter.last, moved - minted],
    ["2", bob, minted, shorter.last, moved - minted],
  ]);
  expect(before.held.map(([tokenId, owner]) => [tokenId, owner])).toEqual([
    ["1", alice],
    ["2", bob],
  ]);
  const { height: movedBack } = await nft.send("transferMany", [1n], [alice]);
  const later: number[] = [];
  const longer = { first: minted, last: movedBack };
  const after = await policy.collect(longer, { onProgress: ({ height }) => later.push(height) });
  expect(later).toEqual([window.last, movedBack, movedBack]);
  expect(after.held[0]).toEqual(["1", alice, movedBack]);
  const whole = await policyOfNfts(chain, nft.address);
  expect((await whole.collect(window)).over).toEqual(over);
});
