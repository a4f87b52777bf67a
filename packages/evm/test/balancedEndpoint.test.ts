import { createPublicClient, http, numberToHex, type Hex } from "viem";
import { expect, test } from "vitest";
import { startHardhat } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testBalancedEndpoint } from "@vipscore/testkit/adapter/balancedEndpoint";
import { balanceEvm } from "@vipscore/testkit/balanceEvm";
import { receiptOf } from "@vipscore/testkit/receiptOf";
import { until } from "@vipscore/testkit/until";
import { freshAccount, operator } from "./testContract.ts";

const hour = 3_600_000;
// Creates a contract of one byte, STOP.
const creation = "0x5f5f5360015ff3";
const code = "0x00";
const chain = useChain(() => startHardhat({ blockTimeMs: 50 }));

async function post(url: string, method: string, ...params: readonly unknown[]): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return (await fetch(url, { method: "POST", body })).json() as Promise<Record<string, unknown>>;
}

async function send(rpcUrl: string): Promise<Hex> {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const nonce = await client.getTransactionCount({ address: operator.address });
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 0n };
  const request = { type: "eip1559", chainId: 31337, nonce, gas: 100_000n, data: creation, ...fees } as const;
  return client.sendRawTransaction({ serializedTransaction: await operator.signTransaction(request) });
}

testBalancedEndpoint(() => ({
  url: chain().rpcUrl,
  balance: (lagMs) => balanceEvm({ upstreamUrl: chain().rpcUrl, lagsMs: [lagMs], seed: 1, flavor: "minievm" }),
  heightOf: async (url) => BigInt(String((await post(url, "eth_blockNumber"))["result"])),
  balanceOf: async (url, address, height) =>
    BigInt(
      String(
        (await post(url, "eth_getBalance", address, height === undefined ? "latest" : numberToHex(height)))["result"],
      ),
    ),
  fund: async () => (await freshAccount(chain().rpcUrl)).address,
}));

test("a lagging replica shows the node's earlier state and refuses what it does not have", async () => {
  await using late = await balanceEvm({ upstreamUrl: chain().rpcUrl, lagsMs: [hour], seed: 1, flavor: "geth" });
  const node = createPublicClient({ transport: http(chain().rpcUrl) });
  const replica = createPublicClient({ transport: http(late.url), cacheTime: 0 });
  const head = await replica.getBlockNumber();
  const count = await replica.getTransactionCount({ address: operator.address });

  const hash = await send(late.url);
  const { blockNumber, contractAddress } = await receiptOf(node, hash);
  const address = contractAddress!;
  expect(blockNumber).toBeGreaterThan(head);
  expect(await node.getCode({ address })).toBe(code);

  expect(await replica.getBlockNumber()).toBe(head);
  expect((await replica.getBlock()).number).toBe(head);
  expect(await replica.getCode({ address })).toBeUndefined();
  expect(await replica.getTransactionCount({ address: operator.address })).toBe(count);
  expect(await replica.getTransactionCount({ address: operator.address, blockTag: "pending" })).toBe(count);
  expect(await post(late.url, "eth_getTransactionReceipt", hash)).toMatchObject({ result: null });
  expect(await post(late.url, "eth_getTransactionByHash", hash)).toMatchObject({ result: null });
  const above = `0x${blockNumber.toString(16)}`;
  expect(await post(late.url, "eth_getBlockByNumber", above, false)).toMatchObject({ result: null });
  expect(await post(late.url, "eth_getLogs", { fromBlock: above })).toMatchObject({ result: [] });
  const refused = { error: { code: -32000, message: "header not found" } };
  expect(await post(late.url, "eth_getCode", address, above)).toMatchObject(refused);
  expect(await post(late.url, "eth_call", { to: address }, above)).toMatchObject(refused);
});

test("a replica shows a contract once it has its block, and one without lag equals the node", async () => {
  const options = { upstreamUrl: chain().rpcUrl, seed: 1, flavor: "minievm" } as const;
  await using near = await balanceEvm({ ...options, lagsMs: [200] });
  await using same = await balanceEvm({ ...options, lagsMs: [0] });
  const hash = await send(near.url);
  const replica = createPublicClient({ transport: http(near.url) });
  const { contractAddress } = await receiptOf(replica, hash);
  expect(await replica.getCode({ address: contractAddress! })).toBe(code);
  const height = async (url: string) => Number((await post(url, "eth_blockNumber"))["result"]);
  const seen = await height(same.url);
  await until(`block ${seen} on the replica`, async () => (await height(near.url)) >= seen);
});
