import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { CompiledContract } from "@vipscore/testkit/compileSolidity";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import { started } from "@vipscore/testkit/started";
import { evmChain } from "../../src/chain/evm/evmChain.ts";
import { withUris } from "../withUris.ts";
import { compileOddNfts } from "./compileOddNfts.ts";
import { Wallet } from "./wallet.ts";

const owner = `0x${"a1".repeat(20)}` as const;
const { signal } = new AbortController();
const node = started(() => startAnvil());
let hostile: CompiledContract;

beforeAll(async () => {
  hostile = (await compileOddNfts())["Hostile"]!;
});

function readBlock(height: number) {
  return withUris(evmChain({ jsonRpcUrl: node.rpcUrl, maxUriBytes: 100_000 })).readBlocks(height, height, {
    isKnown: () => true,
    signal,
  });
}

test("all tokens are read from a block with more logs than one answer may have", async () => {
  const contract = await new Wallet(node.rpcUrl, 140_000_000n).deploy(hostile);
  // About 25 MB of JSON.
  const empty = await contract.fill("emitEmpty", 45_000n);
  expect(await readBlock(empty.height)).toEqual([]);
  const full = await contract.fill("mintMany", owner, 1n, 25_000n);
  const minted = (await readBlock(full.height)).flatMap(({ changes }) => changes);
  expect(minted).toHaveLength(25_000);
  expect(minted.at(-1)).toMatchObject({ tokenId: "25000", owner });
});

test("URIs that are too long are stored as digest and length", async () => {
  const contract = await new Wallet(node.rpcUrl).deploy(hostile);
  const uriBytes = 200_000;
  await contract.send("setUriBytes", BigInt(uriBytes));
  const { height } = await contract.send("mintMany", owner, 1n, 150n);
  // About 60 MB of JSON.
  const [block] = await readBlock(height);
  const last = Buffer.alloc(uriBytes);
  last.writeUInt8(150, 31);
  const digest = createHash("sha256").update(last).digest("hex");
  expect(block?.changes).toHaveLength(150);
  expect(block?.changes.at(-1)).toMatchObject({ tokenId: "150", uri: `sha256:${digest};bytes=${uriBytes}` });
  expect(block?.notRead).toHaveLength(150);
});
