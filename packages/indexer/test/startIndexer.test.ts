import { join } from "node:path";
import { createWalletClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { startHardhat, testAccounts } from "@vipscore/localnet";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { receiptOf } from "@vipscore/testkit/receiptOf";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { openStore, startIndexer, type RunningIndexer } from "../src/index.ts";

const account = privateKeyToAccount(testAccounts.deployer.privateKey);
const node = started(() => startHardhat());
const folder = temporaryFolder();

const source = () => ({ jsonRpcUrl: node.rpcUrl });
const wallet = () =>
  createWalletClient({ account, transport: http(node.rpcUrl, { timeout: hangBoundMs }) }).extend(publicActions);

async function mint(tokens: number): Promise<{ readonly collection: `0x${string}`; readonly height: number }> {
  const { abi, bytecode } = await readDemoNft();
  const client = wallet();
  const hash = await client.deployContract({ abi, bytecode, args: ["Cats", "CAT"], chain: null });
  const { contractAddress } = await receiptOf(client, hash);
  const address = contractAddress!;
  const to = Array.from({ length: tokens }, () => account.address);
  const minted = await client.writeContract({ address, abi, functionName: "mint", args: [to], chain: null });
  const { blockNumber } = await receiptOf(client, minted);
  return { collection: address, height: Number(blockNumber) };
}

async function read(indexer: RunningIndexer, path: string): Promise<Record<string, unknown>> {
  return (await (await fetch(indexer.url + path)).json()) as Record<string, unknown>;
}

async function waitForHeight(indexer: RunningIndexer, height: number): Promise<void> {
  await expect.poll(async () => Number((await read(indexer, "/status"))["height"])).toBeGreaterThanOrEqual(height);
}

test("minted tokens are served, and indexing continues after a restart", async () => {
  const database = join(folder, "goes-on.sqlite");
  const first = await startIndexer({ source: source(), database, pollMs: 20 });
  const { collection, height } = await mint(3);
  await waitForHeight(first, height);
  const list = `/indexer/nft/v1/tokens/by_collection/${collection}`;
  expect(await read(first, list)).toMatchObject({ pagination: { total: "3" } });
  await first.stop();
  await expect(first.ended).resolves.toBeUndefined();
  await expect(fetch(first.url)).rejects.toThrow();

  const later = await mint(2);
  const events: unknown[] = [];
  const second = await startIndexer({ source: source(), database, pollMs: 20, onEvent: (event) => events.push(event) });
  expect(Number((await read(second, "/status"))["height"])).toBeGreaterThanOrEqual(height);
  await waitForHeight(second, later.height);
  expect(await read(second, list)).toMatchObject({ pagination: { total: "3" } });
  expect(await read(second, `/indexer/nft/v1/tokens/by_collection/${later.collection}`)).toMatchObject({
    pagination: { total: "2" },
  });
  await expect.poll(() => events).toContainEqual(expect.objectContaining({ type: "indexed", height: later.height }));
  await second.stop();
});

test("a database of another chain is refused at the start", async () => {
  const database = join(folder, "other.sqlite");
  const store = await openStore(database);
  await store.beginChain("another-1", 0);
  await store.close();
  await expect(startIndexer({ source: source(), database })).rejects.toMatchObject({ code: "CHAIN_MISMATCH" });
});

test("a chain that was restarted ends the indexer", async () => {
  const database = join(folder, "anew.sqlite");
  const store = await openStore(database);
  await store.beginChain("31337", 0);
  await store.applyBlocks([], { height: 1, blockHash: "ab".repeat(32) });
  await store.close();
  const indexer = await startIndexer({ source: source(), database, pollMs: 20 });
  await expect(indexer.ended).rejects.toMatchObject({ code: "CHAIN_RESTARTED" });
  await expect(fetch(indexer.url)).rejects.toThrow();
  await indexer.stop();
});

test("nothing is left running when a start fails", async () => {
  const taken = await startIndexer({ source: source() });
  const port = Number(new URL(taken.url).port);
  const database = join(folder, "taken.sqlite");
  await expect(startIndexer({ source: source(), database, port })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  await taken.stop();
  const dead = { jsonRpcUrl: "http://127.0.0.1:9" };
  await expect(startIndexer({ source: dead, database })).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  const again = await startIndexer({ source: source(), database, port });
  expect(new URL(again.url).port).toBe(String(port));
  await again.stop();
  await expect(startIndexer({ source: source(), database: join(folder, "no", "folder.sqlite") })).rejects.toMatchObject(
    {
      code: expect.stringMatching(/^DATABASE_/) as string,
    },
  );
});
