import { expect, test } from "vitest";
import { playNode } from "@vipscore/testkit/scriptedServer";
import { openEvmRpc } from "../../src/evm/evmRpc.ts";
import { CosmosHashes } from "../../src/evm/readEvmTransactions.ts";
import { word } from "./logEmitter.ts";

const { signal } = new AbortController();

test("hashes are mapped, in uppercase and without unknown transactions", async () => {
  const { url } = await playNode(({ params: [hash] }) => ({
    result: hash === word(2) ? word(0) : `${"ab".repeat(31)}0${String(hash).slice(-1)}`,
  }));
  const found = await new CosmosHashes(openEvmRpc(url)).read([word(1), word(2), word(3), word(1)], signal);
  expect([...found]).toEqual([
    [word(1), `${"AB".repeat(31)}01`],
    [word(3), `${"AB".repeat(31)}03`],
  ]);
});

test("a chain without the method is asked once", async () => {
  const { url, requests } = await playNode(() => ({ error: { code: -32601, message: "the method does not exist" } }));
  const hashes = new CosmosHashes(openEvmRpc(url));
  expect((await hashes.read([word(1), word(2)], signal)).size).toBe(0);
  expect((await hashes.read([word(3)], signal)).size).toBe(0);
  expect(requests).toHaveLength(1);
});
